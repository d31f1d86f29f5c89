; Not expressible: a doc that follows its subject, since whether `(** ... *)` belongs to what stands before or
; after it is told by blank lines; and the `let` in the signature of one of several bindings joined by `and`.

; Tests of ppx_inline_test and its kin
(value_definition
  (attribute_id) @_test
  (let_binding pattern: (string . (string_content) @name) body: (_) @body)
  (#match? @_test "test")) @definition.test

; Values that others can see. With one binding the definition is all of it, `let` included.
(compilation_unit (value_definition . (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) "=" @body) .) @definition.function)
(structure (value_definition . (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) "=" @body) .) @definition.function)
(compilation_unit (value_definition . (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] "=" @body body: [(fun_expression) (function_expression)]) .) @definition.function)
(structure (value_definition . (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] "=" @body body: [(fun_expression) (function_expression)]) .) @definition.function)
(compilation_unit (value_definition . (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] ) .) @definition.constant)
(structure (value_definition . (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] ) .) @definition.constant)
(compilation_unit (value_definition (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) "=" @body) @definition.function))
(structure (value_definition (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] (parameter) "=" @body) @definition.function))
(compilation_unit (value_definition (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] "=" @body body: [(fun_expression) (function_expression)]) @definition.function))
(structure (value_definition (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] "=" @body body: [(fun_expression) (function_expression)]) @definition.function))
(compilation_unit (value_definition (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] ) @definition.constant))
(structure (value_definition (let_binding pattern: [(value_name) @name (parenthesized_operator (_) @name)] ) @definition.constant))
(compilation_unit (value_definition (let_binding pattern: [(tuple_pattern (value_name) @name @definition.constant) (parenthesized_pattern (tuple_pattern (value_name) @name @definition.constant))])))
(structure (value_definition (let_binding pattern: [(tuple_pattern (value_name) @name @definition.constant) (parenthesized_pattern (tuple_pattern (value_name) @name @definition.constant))])))
(external [(value_name) @name (parenthesized_operator (_) @name)]) @definition.function
(value_specification [(value_name) @name (parenthesized_operator (_) @name)] type: [
  (function_type)
  (polymorphic_type type: (function_type))
]) @definition.function
(value_specification [(value_name) @name (parenthesized_operator (_) @name)]) @definition.constant

; Types
(type_definition . (type_binding name: (type_constructor) @name body: (variant_declaration) @body) .) @definition.enum
(type_definition . (type_binding name: (type_constructor) @name body: (record_declaration) @body) .) @definition.struct
(type_definition . (type_binding name: (type_constructor) @name) .) @definition.type
(type_binding name: (type_constructor) @name body: (variant_declaration) @body) @definition.enum
(type_binding name: (type_constructor) @name body: (record_declaration) @body) @definition.struct
(type_binding name: (type_constructor) @name) @definition.type
(type_binding name: (type_constructor_path (type_constructor) @name) body: (variant_declaration)) @container
(exception_definition (constructor_declaration (constructor_name) @name)) @definition.type
; The doc of a constructor or field follows it.
(variant_declaration (constructor_declaration (constructor_name) @name) @definition.variant . (comment) @doc)
(record_declaration (field_declaration (field_name) @name) @definition.field . (comment) @doc)
(constructor_declaration (constructor_name) @name) @definition.variant
(field_declaration (field_name) @name) @definition.field

; Modules and classes
(module_definition . (module_binding (module_name) @name body: (structure) @body) .) @definition.module
(module_definition . (module_binding (module_name) @name module_type: (signature) @body) .) @definition.module
(module_definition . (module_binding (module_name) @name) .) @definition.module
(module_binding (module_name) @name body: (structure) @body) @definition.module
(module_binding (module_name) @name) @definition.module
(module_type_definition (module_type_name) @name body: (signature) @body) @definition.interface
(module_type_definition (module_type_name) @name) @definition.interface
(class_definition . (class_binding (class_name) @name body: (_) @body) .) @definition.class
(class_definition . (class_binding (class_name) @name class_type: (class_body_type) @body) .) @definition.class
(class_definition . (class_binding (class_name) @name) .) @definition.class
(class_binding (class_name) @name) @definition.class
(class_type_definition . (class_type_binding (class_type_name) @name body: (_) @body) .) @definition.interface
(class_type_binding (class_type_name) @name) @definition.interface
(method_definition (method_name) @name body: (_) @body) @definition.method
(method_definition (method_name) @name) @definition.method
(method_specification (method_name) @name) @definition.method
(instance_variable_definition (instance_variable_name) @name) @definition.field
(instance_variable_specification (instance_variable_name) @name) @definition.field

; Comments, but not those in types, which would count for the next constructor or field
[
  (compilation_unit (comment) @comment)
  (structure (comment) @comment)
  (signature (comment) @comment)
  (object_expression (comment) @comment)
  (class_body_type (comment) @comment)
  (let_expression (comment) @comment)
  (sequence_expression (comment) @comment)
  (match_expression (comment) @comment)
  (function_expression (comment) @comment)
]
(floating_attribute) @attribute

; Imports
(open_module module: (module_path) @import)
(include_module module: [(module_path) @import (module_application functor: (module_path) @import)])
(module_binding body: (module_path) @import)

; References
(application_expression function: [
  (value_path (value_name) @reference.call)
  (constructor_path (constructor_name) @reference.call)
])
(method_invocation method: (method_name) @reference.call)
(new_expression (class_path (class_name) @reference.call))
(infix_expression operator: (rel_operator) @_operator right: (value_path (value_name) @reference.call)
  (#any-of? @_operator "|>" ">>=" ">>|"))
(infix_expression left: (value_path (value_name) @reference.call) operator: (concat_operator) @_operator
  (#eq? @_operator "@@"))
(infix_expression operator: (_) @reference.call
  (#not-any-of? @reference.call
    "+" "-" "*" "/" "+." "-." "*." "/." "=" "==" "<>" "!=" "<" ">" "<=" ">=" "&&" "||" "^" "@" ":=" "|>" "@@" "mod"))
(value_definition (let_operator) @reference.call)
(value_path (module_path (module_name) @reference.type .))
(type_constructor_path (type_constructor) @reference.type)
(module_type_path (module_type_name) @reference.type)
(inheritance_definition class: [(class_path (class_name) @reference.type) (instantiated_class (class_path (class_name) @reference.type))])
(class_type_path (class_type_name) @reference.type)
