; What stands inside a macro call is a run of tokens to the grammar; it is parsed again as items, a
; block or arguments (`@given`). Where that fails, and in the arms of `macro_rules!`, three limits
; hold: an item is known by name and line, not by its extent; a call is told by a name before a
; parenthesis, which takes `x, (1, 2)` for one too; a type is not seen at all.
(macro_invocation (token_tree) @given)

; Definitions
(function_item name: (identifier) @name body: (_) @body) @definition.function
(function_signature_item name: (identifier) @name ";" @body) @definition.function
(struct_item name: (type_identifier) @name body: (field_declaration_list) @body) @definition.struct
(struct_item name: (type_identifier) @name ";" @body) @definition.struct
(union_item name: (type_identifier) @name body: (_) @body) @definition.union
(enum_item name: (type_identifier) @name body: (_) @body) @definition.enum
(enum_variant name: (identifier) @name) @definition.variant
(trait_item name: (type_identifier) @name body: (_) @body) @definition.trait
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(mod_item name: (identifier) @name body: (_) @body) @definition.module
(macro_definition name: (identifier) @name . (macro_rule) @body) @definition.macro
(macro_definition name: (identifier) @name) @definition.macro
(field_declaration name: (field_identifier) @name) @definition.field

; Constants and statics of a file, module, trait or impl; those of a function are its own.
(source_file (const_item name: (identifier) @name) @definition.constant (#not-eq? @name "_"))
(declaration_list (const_item name: (identifier) @name) @definition.constant (#not-eq? @name "_"))
(source_file (static_item name: (identifier) @name) @definition.variable)
(declaration_list (static_item name: (identifier) @name) @definition.variable)

; An impl block qualifies its functions by the type it is for.
(impl_item type: (type_identifier) @name) @container
(impl_item type: (generic_type type: (type_identifier) @name)) @container
(impl_item type: (generic_type type: (scoped_type_identifier name: (type_identifier) @name))) @container
(impl_item type: (scoped_type_identifier name: (type_identifier) @name)) @container
(impl_item type: (reference_type type: (type_identifier) @name)) @container
(impl_item type: (reference_type type: (generic_type type: (type_identifier) @name))) @container
(impl_item type: (reference_type type: (scoped_type_identifier name: (type_identifier) @name))) @container
(impl_item type: (dynamic_type trait: (type_identifier) @name)) @container
(impl_item type: (dynamic_type trait: (generic_type type: (type_identifier) @name))) @container
(impl_item type: (dynamic_type trait: (scoped_type_identifier name: (type_identifier) @name))) @container
(impl_item type: (bounded_type . (dynamic_type trait: (type_identifier) @name))) @container
(impl_item type: [
  (array_type) (function_type) (never_type) (pointer_type) (primitive_type) (tuple_type) (unit_type)
] @name) @container
(impl_item type: (reference_type type: [(array_type) (dynamic_type) (primitive_type) (tuple_type)] @name)) @container

; Items among the tokens of a macro call.
(macro_invocation (token_tree "fn" . (identifier) @name @definition.function))
(macro_invocation (token_tree "struct" . (identifier) @name @definition.struct))
(macro_invocation (token_tree "enum" . (identifier) @name @definition.enum))
(macro_invocation (token_tree "trait" . (identifier) @name @definition.trait))
; (The name in capitals: `'static` ends in the same token.)
(macro_invocation (token_tree "static" . (identifier) @name @definition.variable)
  (#match? @name "^_*[A-Z][A-Z0-9_]+$"))
(macro_invocation (token_tree "static" . (identifier) @_ref . (identifier) @name @definition.variable)
  (#eq? @_ref "ref"))
(macro_invocation (token_tree (token_tree "{" "fn" . (identifier) @name @definition.function)))
(macro_invocation (token_tree "impl" . (identifier) @name . (token_tree "{") @container))
(macro_invocation (token_tree "for" . (identifier) @name . (token_tree "{") @container))
(macro_invocation (token_tree "for" . (identifier) @name . (identifier) . (token_tree "{") @container))

; Comments and attributes
(line_comment) @comment
(block_comment) @comment
(attribute_item) @attribute
(macro_invocation (token_tree "#" @attribute . (token_tree "[")))

; Imports
(use_declaration argument: (_) @import)
(extern_crate_declaration name: (identifier) @import)
(mod_item name: (identifier) @import !body)

; Calls
(call_expression function: [
  (identifier) @reference.call
  (field_expression value: (_) @receiver.chain field: (field_identifier) @reference.call)
  (scoped_identifier path: (_)? @receiver.chain name: (identifier) @reference.call)
  (generic_function function: (identifier) @reference.call)
  (generic_function function: (scoped_identifier path: (_)? @receiver.chain name: (identifier) @reference.call))
  (generic_function function: (field_expression value: (_) @receiver.chain field: (field_identifier) @reference.call))
])
(macro_invocation macro: (identifier) @reference.call "!" @receiver)
(macro_invocation macro: (scoped_identifier name: (identifier) @reference.call) "!" @receiver)
; (After `fn` the same tokens define, so a call must follow a mark that no item follows.)
((token_tree
  ["." "::" "," "=" "=>" "==" "!=" "&&" "||" "!" "&" "*" "+" "-" "(" "[" "return" "in" "if" "match" "while" "await"]
  . (identifier) @reference.call . (token_tree "("))
  (#match? @reference.call "^[a-z_]"))

; Types. A name in the place of a type is a use, but for the names of items and of parameters. `Self`
; is a use of the type it stands for.
([
  (abstract_type trait: (type_identifier) @reference.type)
  (array_type element: (type_identifier) @reference.type)
  (bounded_type (type_identifier) @reference.type)
  (bracketed_type (type_identifier) @reference.type)
  (closure_expression return_type: (type_identifier) @reference.type)
  (const_item type: (type_identifier) @reference.type)
  (const_parameter type: (type_identifier) @reference.type)
  (dynamic_type trait: (type_identifier) @reference.type)
  (field_declaration type: (type_identifier) @reference.type)
  (function_item return_type: (type_identifier) @reference.type)
  (function_signature_item return_type: (type_identifier) @reference.type)
  (function_type trait: (type_identifier) @reference.type)
  (function_type return_type: (type_identifier) @reference.type)
  (generic_type type: (type_identifier) @reference.type)
  (generic_type_with_turbofish type: (type_identifier) @reference.type)
  (higher_ranked_trait_bound type: (type_identifier) @reference.type)
  (impl_item trait: (type_identifier) @reference.implements)
  (impl_item type: (type_identifier) @reference.type)
  (let_declaration type: (type_identifier) @reference.type)
  (ordered_field_declaration_list type: (type_identifier) @reference.type)
  (parameter type: (type_identifier) @reference.type)
  (parameters (type_identifier) @reference.type)
  (pointer_type type: (type_identifier) @reference.type)
  (qualified_type type: (type_identifier) @reference.type)
  (qualified_type alias: (type_identifier) @reference.type)
  (reference_type type: (type_identifier) @reference.type)
  (removed_trait_bound (type_identifier) @reference.type)
  (scoped_type_identifier path: (_)? @receiver.chain name: (type_identifier) @reference.type)
  (static_item type: (type_identifier) @reference.type)
  (struct_expression name: (type_identifier) @reference.type)
  (struct_pattern type: (type_identifier) @reference.type)
  (trait_bounds (type_identifier) @reference.type)
  (tuple_type (type_identifier) @reference.type)
  (type_arguments (type_identifier) @reference.type)
  (type_binding type: (type_identifier) @reference.type)
  (type_cast_expression type: (type_identifier) @reference.type)
  (type_item type: (type_identifier) @reference.type)
  (type_parameter default_type: (type_identifier) @reference.type)
  (where_predicate left: (type_identifier) @reference.type)
])

; `Type::new`, `module::Type::CONST`, `Enum::Variant`.
(scoped_identifier path: (identifier) @reference.type
  (#match? @reference.type "^[A-Z]"))
(scoped_identifier path: (scoped_identifier path: (_)? @receiver.chain name: (identifier) @reference.type)
  (#match? @reference.type "^[A-Z]"))
(scoped_type_identifier path: (identifier) @reference.type
  (#match? @reference.type "^[A-Z]"))

; Values: every other name, as far as the file imports or defines it.
(identifier) @reference.name
(scoped_identifier path: (_) @receiver.chain name: (identifier) @reference.name)
(parameter pattern: (identifier) @no-use)
(use_declaration argument: (identifier) @no-use)
(use_list (identifier) @no-use)
(use_as_clause (identifier) @no-use)
(extern_crate_declaration (identifier) @no-use)
(mod_item name: (identifier) @no-use)
(use_declaration argument: (scoped_identifier name: (identifier) @no-use))
(use_declaration argument: (scoped_identifier path: (identifier) @no-use))
(scoped_use_list path: (identifier) @no-use)

; Variables with a type, and what others are made by. What a variable of a pattern is made by is what
; is inside of it.
(parameter pattern: (identifier) @variable type: (_) @type.whole)
(let_declaration pattern: (identifier) @variable type: (_) @type.whole)
(let_declaration pattern: (identifier) @variable !type value: (_) @value)
(let_declaration pattern: (tuple_pattern [
  (identifier) @variable.part (mut_pattern (identifier) @variable.part)
]) value: (_) @value)
(let_condition pattern: (tuple_struct_pattern type: (identifier) @_some . [
  (identifier) @variable (mut_pattern (identifier) @variable)
]) value: (_) @value.inner (#any-of? @_some "Some" "Ok"))
(match_expression value: (_) @value.inner body: (match_block (match_arm
  pattern: (match_pattern (tuple_struct_pattern type: (identifier) @_some . [
    (identifier) @variable (mut_pattern (identifier) @variable)
  ])))) (#any-of? @_some "Some" "Ok"))
(for_expression pattern: (identifier) @variable value: (_) @value.element)

; Bounds of type parameters, and what types have from their traits, traits from those above them.
(type_parameter name: (type_identifier) @variable bounds: (trait_bounds) @type.whole)
(where_predicate left: (type_identifier) @variable bounds: (trait_bounds) @type.whole)
(trait_item name: (type_identifier) @implementer bounds: (trait_bounds) @type.whole)
(impl_item trait: (_) @type.whole type: [
  (type_identifier) @implementer
  (generic_type type: (type_identifier) @implementer)
  (reference_type type: (type_identifier) @implementer)
  (reference_type type: (generic_type type: (type_identifier) @implementer))
])
