; What stands inside a macro call or a `macro_rules!` arm is a run of tokens to the grammar.
; Hence three limits: an item written there is known by name and line, not by its extent;
; a call there is told by a name before a parenthesis, which takes `x, (1, 2)` for one too;
; a type there is not seen at all.

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

; Items inside a macro call: `cfg_rt! { pub fn spawn() {} }`, `pin_project! { struct Pinned {} }`.
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
  (field_expression value: (_) @receiver field: (field_identifier) @reference.call)
  (scoped_identifier path: (_)? @receiver name: (identifier) @reference.call)
  (generic_function function: (identifier) @reference.call)
  (generic_function function: (scoped_identifier path: (_)? @receiver name: (identifier) @reference.call))
  (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call))
])
(macro_invocation macro: (identifier) @reference.call)
(macro_invocation macro: (scoped_identifier name: (identifier) @reference.call))
; (After `fn` the same tokens define, so a call must follow a mark that no item follows.)
((token_tree
  ["." "::" "," "=" "=>" "==" "!=" "&&" "||" "!" "&" "*" "+" "-" "(" "[" "return" "in" "if" "match" "while" "await"]
  . (identifier) @reference.call . (token_tree "("))
  (#match? @reference.call "^[a-z_]"))

; Types. A name in the place of a type is a use, but for the names of items and of parameters.
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
  (scoped_type_identifier name: (type_identifier) @reference.type)
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
] (#not-eq? @reference.type "Self"))

; `Type::new`, `module::Type::CONST`, `Enum::Variant`.
(scoped_identifier path: (identifier) @reference.type
  (#match? @reference.type "^[A-Z]") (#not-eq? @reference.type "Self"))
(scoped_identifier path: (scoped_identifier name: (identifier) @reference.type)
  (#match? @reference.type "^[A-Z]"))
(scoped_type_identifier path: (identifier) @reference.type
  (#match? @reference.type "^[A-Z]") (#not-eq? @reference.type "Self"))

; Values: every other name, as far as the file imports or defines it.
(identifier) @reference.name
(scoped_identifier path: (_) @receiver name: (identifier) @reference.name)
(parameter pattern: (identifier) @no-use)
(use_declaration argument: (identifier) @no-use)
(use_list (identifier) @no-use)
(use_as_clause (identifier) @no-use)
(extern_crate_declaration (identifier) @no-use)
(mod_item name: (identifier) @no-use)
(use_declaration argument: (scoped_identifier name: (identifier) @no-use))
(scoped_use_list path: (identifier) @no-use)

; Variables with a type, and those made by a literal or a call.
(parameter pattern: (identifier) @variable type: [
  (type_identifier) @type (scoped_type_identifier) @type (generic_type) @type
  (reference_type type: [(type_identifier) (scoped_type_identifier) (generic_type)] @type)])
(field_declaration name: (field_identifier) @variable type: [
  (type_identifier) @type (scoped_type_identifier) @type (generic_type) @type
  (reference_type type: [(type_identifier) (scoped_type_identifier) (generic_type)] @type)])
(let_declaration pattern: (identifier) @variable type: [
  (type_identifier) @type (scoped_type_identifier) @type (generic_type) @type
  (reference_type type: [(type_identifier) (scoped_type_identifier) (generic_type)] @type)])
(let_declaration pattern: (identifier) @variable value: [
  (struct_expression name: (_) @type)
  (call_expression) @type
  (try_expression (call_expression) @type)])
