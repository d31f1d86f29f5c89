; Not expressible: where a declaration without a body ends, so the signature of one that runs over
; several lines stops at the line of its name. An unnamed companion object defines and qualifies
; nothing: its members go by the class. A secondary constructor goes by `constructor`.

; Types
(class_declaration "interface" name: (identifier) @name (class_body)? @body) @definition.interface
(class_declaration name: (identifier) @name (enum_class_body) @body) @definition.enum
(class_declaration name: (identifier) @name (class_body) @body) @definition.class
(class_declaration name: (identifier) @name) @definition.class
(object_declaration name: (identifier) @name (class_body)? @body) @definition.class
(companion_object name: (identifier) @name (class_body)? @body) @definition.class
(enum_entry (identifier) @name (class_body)? @body) @definition.variant
(type_alias type: (identifier) @name) @definition.type
; The heads of what the grammar could not read.
(ERROR "class" . (identifier) @name @definition.class)
(ERROR "object" . (identifier) @name @definition.class)
(ERROR "interface" . (identifier) @name @definition.interface)
(ERROR "fun" . (identifier) @name @definition.function)

; An anonymous object qualifies its members by the first type it is made from.
(object_literal (delegation_specifiers . (delegation_specifier
  (user_type . (identifier) @name)))) @container
(object_literal (delegation_specifiers . (delegation_specifier
  (constructor_invocation (user_type . (identifier) @name))))) @container

; Functions. An extension belongs to the type it extends, unless that is any type `T`.
(enum_entry (class_body (function_declaration
  name: (identifier) @name (function_body)? @body) @definition.method))
((function_declaration
  (user_type) @scope . name: (identifier) @name (function_body)? @body) @definition.function
  (#not-match? @scope "^[A-Z]$"))
((function_declaration
  (nullable_type (user_type) @scope) . name: (identifier) @name (function_body)? @body) @definition.function
  (#not-match? @scope "^[A-Z]$"))
(function_declaration name: (identifier) @name (function_body) @body) @definition.function
(function_declaration name: (identifier) @name) @definition.function
(secondary_constructor "constructor" @name (function_value_parameters) . (_) @body) @definition.method
(secondary_constructor "constructor" @name) @definition.method

; Properties of the file and of types, and constructor parameters that are properties
((property_declaration
  (modifiers (property_modifier) @_const)
  (variable_declaration (identifier) @name)) @definition.constant
  (#eq? @_const "const"))
(source_file (property_declaration
  (user_type) @scope . (variable_declaration (identifier) @name)) @definition.variable)
(source_file (property_declaration
  (nullable_type (user_type) @scope) . (variable_declaration (identifier) @name)) @definition.variable)
(source_file (property_declaration (variable_declaration (identifier) @name)) @definition.variable)
(class_body (property_declaration
  (user_type) @scope . (variable_declaration (identifier) @name)) @definition.field)
(class_body (property_declaration (variable_declaration (identifier) @name)) @definition.field)
(enum_class_body (property_declaration (variable_declaration (identifier) @name)) @definition.field)
(class_parameter ["val" "var"] (identifier) @name) @definition.field

(line_comment) @comment
(block_comment) @comment

; Imports
(import . [(qualified_identifier) (identifier)] @import)
(import . (qualified_identifier) @import "*" @import.name)
(import . (qualified_identifier) @import (identifier) @import.alias .)
(package_header (qualified_identifier) @package)

; References
(call_expression . (identifier) @reference.call)
(call_expression . (navigation_expression . (_) @receiver (identifier) @reference.call .))
(infix_expression . (_) . (identifier) @reference.call)
(callable_reference (identifier) @reference.call .)
((navigation_expression "::" . (identifier) @reference.call) (#not-eq? @reference.call "class"))
(user_type (identifier) @reference.type .)
(user_type (identifier) @reference.type . (type_arguments))
((navigation_expression . (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))

; What a class is made from
(delegation_specifier (constructor_invocation (user_type (identifier) @reference.extends .)))
(delegation_specifier (user_type (identifier) @reference.implements .))
