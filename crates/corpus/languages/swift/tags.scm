; Not expressible: properties and cases declared together (`let a = 1, b = 2`) have an extent each,
; so their signatures are their names. `operator` declarations are left out: the functions that
; define the operator are found by its name. A name in backticks keeps them. A doc comment between
; an attribute and its declaration is read as part of the signature.

; Types
(class_declaration
  declaration_kind: "class" name: (type_identifier) @name body: (_) @body) @definition.class
(class_declaration
  declaration_kind: "actor" name: (type_identifier) @name body: (_) @body) @definition.class
(class_declaration
  declaration_kind: "struct" name: (type_identifier) @name body: (_) @body) @definition.struct
(class_declaration
  declaration_kind: "enum" name: (type_identifier) @name body: (_) @body) @definition.enum
(protocol_declaration name: (type_identifier) @name body: (_) @body) @definition.interface
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(precedence_group_declaration . (simple_identifier) @name) @definition.type

; An extension qualifies its members by the type it extends.
(class_declaration
  declaration_kind: "extension"
  name: (user_type . (type_identifier) @name . (type_arguments) .)) @container
(class_declaration declaration_kind: "extension" name: (_) @name) @container

; Cases; several in one line have an extent each.
(enum_entry (simple_identifier) @name @definition.variant ",")
(enum_entry "," (simple_identifier) @name @definition.variant)
(enum_entry name: (simple_identifier) @name) @definition.variant

; Functions
; The field also holds the type returned, hence the anchor. It takes in operators, which are no
; named nodes, and compiles six times faster than a list of what may stand there.
(function_declaration "func" . name: _ @name body: (_) @body) @definition.function
(protocol_function_declaration "func" . name: _ @name) @definition.function
(init_declaration "init" @name body: (_)? @body) @definition.method
(deinit_declaration "deinit" @name body: (_) @body) @definition.method
(subscript_declaration "subscript" @name (computed_property)? @body) @definition.method
(macro_declaration "macro" . (simple_identifier) @name (macro_definition)? @body) @definition.macro

; Properties of types, and the constants and variables of the module.
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field
(class_body (property_declaration
  (pattern bound_identifier: (simple_identifier) @name) @definition.field ","))
(class_body (property_declaration
  "," (pattern bound_identifier: (simple_identifier) @name) @definition.field))
(class_body (property_declaration
  (pattern (pattern (simple_identifier) @name @definition.field))))
(class_body (property_declaration
  (pattern bound_identifier: (simple_identifier) @name)
  [(computed_property) (willset_didset_block)]? @body) @definition.field)
(enum_class_body (property_declaration
  (pattern bound_identifier: (simple_identifier) @name) @definition.field ","))
(enum_class_body (property_declaration
  "," (pattern bound_identifier: (simple_identifier) @name) @definition.field))
(enum_class_body (property_declaration
  (pattern bound_identifier: (simple_identifier) @name)
  [(computed_property) (willset_didset_block)]? @body) @definition.field)
(source_file (property_declaration
  (value_binding_pattern mutability: "let")
  (pattern bound_identifier: (simple_identifier) @name) @definition.constant ","))
(source_file (property_declaration
  (value_binding_pattern mutability: "let")
  "," (pattern bound_identifier: (simple_identifier) @name) @definition.constant))
(source_file (property_declaration
  (value_binding_pattern mutability: "let")
  (pattern bound_identifier: (simple_identifier) @name)) @definition.constant)
(source_file (property_declaration
  (pattern bound_identifier: (simple_identifier) @name) @definition.variable ","))
(source_file (property_declaration
  "," (pattern bound_identifier: (simple_identifier) @name) @definition.variable))
(source_file (property_declaration
  (pattern bound_identifier: (simple_identifier) @name)
  [(computed_property) (willset_didset_block)]? @body) @definition.variable)

; Quick specs: it("…") { … }
(call_expression
  . (simple_identifier) @_test
  (call_suffix
    (value_arguments
      . (value_argument value: (line_string_literal . text: (line_str_text) @name .)))
    (lambda_literal) @body)
  (#any-of? @_test "it" "fit" "xit" "describe" "context" "test")) @definition.test

(comment) @comment
(multiline_comment) @comment

; Imports
(import_declaration (identifier) @import)

; References. A subscript parses as a call with brackets.
(call_expression
  . [
    (simple_identifier) @reference.call
    (navigation_expression
      suffix: (navigation_suffix suffix: (simple_identifier) @reference.call))
    (prefix_expression operation: "." target: (simple_identifier) @reference.call)
  ]
  (call_suffix [(value_arguments "(") (lambda_literal)]))
(constructor_expression constructed_type: (user_type (type_identifier) @reference.call .))
(constructor_expression
  constructed_type: (user_type (type_identifier) @reference.call . (type_arguments) .))
(macro_invocation . (simple_identifier) @reference.call)
; Attributes of the language start in lower case; property wrappers and macros are types.
((user_type (type_identifier) @reference.type)
  (#match? @reference.type "^[^a-z]")
  (#not-eq? @reference.type "Self"))
((navigation_expression target: (simple_identifier) @reference.type)
  (#match? @reference.type "^[A-Z]"))
