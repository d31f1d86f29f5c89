; Not expressible: variables declared together (`int a, b;`) have an extent each, so their
; signatures are their names. `library` directives are left out: they enclose nothing.

; Types
(class_declaration name: (identifier) @name body: (_)? @body) @definition.class
(class_declaration (mixin_application_class . (identifier) @name)) @definition.class
(mixin_declaration name: (identifier) @name body: (_) @body) @definition.trait
(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum
(enum_entry name: (identifier) @name) @definition.variant
(type_alias (type_identifier) @name) @definition.type
(extension_type_declaration
  name: [(identifier) @name (extension_type_name . (identifier) @name)]
  body: (_)? @body) @definition.type
; A named extension is a thing of its own; another qualifies its members by the type it extends.
(extension_declaration name: (identifier) @name body: (_) @body) @definition.type
(extension_declaration !name class: (type (type_identifier) @name)) @container

; Functions of the library
(function_declaration
  signature: (function_signature name: (identifier) @name)
  body: (_) @body) @definition.function
(getter_declaration
  signature: (getter_signature name: (identifier) @name)
  body: (_) @body) @definition.function
(setter_declaration
  signature: (setter_signature name: (identifier) @name)
  body: (_) @body) @definition.function
(external_function_declaration
  signature: (function_signature name: (identifier) @name)) @definition.function
(external_getter_declaration
  signature: (getter_signature name: (identifier) @name)) @definition.function
(external_setter_declaration
  signature: (setter_signature name: (identifier) @name)) @definition.function
(local_function_declaration
  (function_signature name: (identifier) @name)
  (function_body) @body) @definition.function

; Members with a body. A constructor's signature ends before its initializers, and it is named by
; the last part of `Type.name`.
(member_declaration (method_declaration
  signature: (method_signature
    (constructor_signature (identifier) @name . (formal_parameter_list))
    (initializers) @body))) @definition.method
(member_declaration (method_declaration
  signature: (method_signature [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (operator_signature operator: _ @name)
    (constructor_signature (identifier) @name . (formal_parameter_list))
    (factory_constructor_signature (identifier) @name . (formal_parameter_list))
  ])
  body: (_) @body)) @definition.method
; Members without one
(member_declaration (declaration [
    (constructor_signature (identifier) @name . (formal_parameter_list))
    (constant_constructor_signature (identifier) @name . (formal_parameter_list))
  ]
  [(initializers) (redirection)] @body)) @definition.method
(member_declaration (declaration [
  (function_signature name: (identifier) @name)
  (getter_signature name: (identifier) @name)
  (setter_signature name: (identifier) @name)
  (operator_signature operator: _ @name)
  (constructor_signature (identifier) @name . (formal_parameter_list))
  (constant_constructor_signature (identifier) @name . (formal_parameter_list))
  (factory_constructor_signature (identifier) @name . (formal_parameter_list))
  (redirecting_factory_constructor_signature (identifier) @name . (formal_parameter_list))
]) ";" @body) @definition.method

; Fields; several in one declaration have an extent each.
(member_declaration (declaration [
  (initialized_identifier_list (initialized_identifier name: (identifier) @name) @definition.field ",")
  (initialized_identifier_list "," (initialized_identifier name: (identifier) @name) @definition.field)
  (static_final_declaration_list (static_final_declaration name: (identifier) @name) @definition.field ",")
  (static_final_declaration_list "," (static_final_declaration name: (identifier) @name) @definition.field)
]))
(member_declaration (declaration
  "const"
  (static_final_declaration_list
    (static_final_declaration name: (identifier) @name)))) @definition.constant
(member_declaration (declaration [
  (initialized_identifier_list (initialized_identifier name: (identifier) @name))
  (static_final_declaration_list (static_final_declaration name: (identifier) @name))
  (identifier_list (identifier) @name)
])) @definition.field

; Constants and variables of the library
(top_level_variable_declaration
  "const"
  (static_final_declaration_list
    (static_final_declaration name: (identifier) @name) @definition.constant ","))
(top_level_variable_declaration
  "const"
  (static_final_declaration_list
    "," (static_final_declaration name: (identifier) @name) @definition.constant))
(top_level_variable_declaration
  "const"
  (static_final_declaration_list
    (static_final_declaration name: (identifier) @name))) @definition.constant
(top_level_variable_declaration [
  (initialized_identifier_list (initialized_identifier name: (identifier) @name) @definition.variable ",")
  (initialized_identifier_list "," (initialized_identifier name: (identifier) @name) @definition.variable)
  (static_final_declaration_list (static_final_declaration name: (identifier) @name) @definition.variable ",")
  (static_final_declaration_list "," (static_final_declaration name: (identifier) @name) @definition.variable)
])
(top_level_variable_declaration [
  (initialized_identifier_list (initialized_identifier name: (identifier) @name))
  (static_final_declaration_list (static_final_declaration name: (identifier) @name))
]) @definition.variable
(external_variable_declaration (identifier_list (identifier) @name)) @definition.variable

; Tests
(call_expression
  function: (identifier) @_test
  arguments: (arguments
    . (string_literal . [
      (string_literal_single_quotes . (template_chars_single_single) @name .)
      (string_literal_double_quotes . (template_chars_double_single) @name .)
      (string_literal_single_quotes [(template_substitution) (escape_sequence)]) @name
      (string_literal_double_quotes [(template_substitution) (escape_sequence)]) @name
    ])
    (function_expression body: (_) @body))
  (#any-of? @_test "test" "group" "testWidgets")) @definition.test

(comment) @comment
(documentation_comment) @comment

; Imports
(configurable_uri (uri) @import)
(configuration_uri (uri) @import)
(part_directive uri: (uri) @import)
(part_of_directive [(uri) (dotted_identifier_list)] @import)

; References
(call_expression function: [
  (identifier) @reference.call
  (member_expression property: (identifier) @reference.call)
  (null_aware_member_expression property: (identifier) @reference.call)
  (instantiation_expression function: (identifier) @reference.call)
  (instantiation_expression function: (member_expression property: (identifier) @reference.call))
  (static_member_shorthand (identifier) @reference.call)
])
(cascade_call_expression property: (identifier) @reference.call)
(constructor_invocation constructor: (identifier) @reference.call)
(annotation name: [(identifier) @reference.call (qualified_name (identifier) @reference.call .)])
; A type's name starts with a capital; a prefix, a constructor and `int` do not.
([
  (new_expression type: (type (type_identifier) @reference.call))
  (const_object_expression type: (type (type_identifier) @reference.call))
  (constructor_invocation type: (type_identifier) @reference.call)
] (#match? @reference.call "^_?[A-Z]"))
((type (type_identifier) @reference.type)
  (#match? @reference.type "^_?[A-Z]"))
((member_expression object: (identifier) @reference.type)
  (#match? @reference.type "^_?[A-Z]"))
