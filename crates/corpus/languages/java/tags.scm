; Not expressible: the `*` of an import stands outside the node with its name, so `import a.b.*`
; reads `a.b`. One of several names in a field declaration stands for itself, without the type.

; Types
(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name body: (_)? @body) @definition.variant
(record_declaration name: (identifier) @name body: (_) @body) @definition.struct
(record_declaration
  parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.field))
(module_declaration name: (_) @name body: (_) @body) @definition.module

; An anonymous class qualifies its members by the type it is made from.
(object_creation_expression type: (type_identifier) @name (class_body)) @container
(object_creation_expression type: (generic_type (type_identifier) @name) (class_body)) @container

; Methods. Only a file without a class around its code has functions.
(program (method_declaration name: (identifier) @name body: (_) @body) @definition.function)
(method_declaration name: (identifier) @name body: (_) @body) @definition.method
(method_declaration name: (identifier) @name ";" @body) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @definition.method

; Fields; static and final ones are constants. One of several stands for itself.
((field_declaration
  (modifiers) @_modifiers
  declarator: (variable_declarator name: (identifier) @name) @definition.constant . ",")
  (#match? @_modifiers "\\bstatic\\b") (#match? @_modifiers "\\bfinal\\b"))
((field_declaration
  (modifiers) @_modifiers
  "," . declarator: (variable_declarator name: (identifier) @name) @definition.constant)
  (#match? @_modifiers "\\bstatic\\b") (#match? @_modifiers "\\bfinal\\b"))
((field_declaration
  (modifiers) @_modifiers
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant
  (#match? @_modifiers "\\bstatic\\b") (#match? @_modifiers "\\bfinal\\b"))
(field_declaration declarator: (variable_declarator name: (identifier) @name) @definition.field . ",")
(field_declaration "," . declarator: (variable_declarator name: (identifier) @name) @definition.field)
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name) @definition.constant . ",")
(constant_declaration "," . declarator: (variable_declarator name: (identifier) @name) @definition.constant)
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant

(line_comment) @comment
(block_comment) @comment

; Imports
(import_declaration [(scoped_identifier) (identifier)] @import)
(import_declaration [(scoped_identifier) (identifier)] @import (asterisk) @import.name)
(package_declaration [(scoped_identifier) (identifier)] @package)
(requires_module_directive module: (_) @import)

; References
(method_invocation object: (_)? @receiver name: (identifier) @reference.call)
(method_reference (_) (identifier) @reference.call .)
(object_creation_expression type: (type_identifier) @reference.call)
(object_creation_expression type: (scoped_type_identifier (type_identifier) @reference.call .))
(object_creation_expression type: (generic_type (type_identifier) @reference.call))
(object_creation_expression
  type: (generic_type (scoped_type_identifier (type_identifier) @reference.call .)))
((method_invocation object: (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
((field_access object: (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
((method_reference . (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
(marker_annotation name: [(identifier) @reference.type (scoped_identifier name: (identifier) @reference.type)])
(annotation name: [(identifier) @reference.type (scoped_identifier name: (identifier) @reference.type)])
((scoped_type_identifier (type_identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
(generic_type (type_identifier) @reference.type)
(type_arguments (type_identifier) @reference.type)
(wildcard (type_identifier) @reference.type)
(array_type element: (type_identifier) @reference.type)
(annotated_type (type_identifier) @reference.type)
(type_bound (type_identifier) @reference.type)
(type_list (type_identifier) @reference.type)
(superclass [(type_identifier) @reference.extends (generic_type (type_identifier) @reference.extends)])
(super_interfaces (type_list [
  (type_identifier) @reference.implements (generic_type (type_identifier) @reference.implements)]))
(extends_interfaces (type_list [
  (type_identifier) @reference.extends (generic_type (type_identifier) @reference.extends)]))
(throws (type_identifier) @reference.type)
(catch_type (type_identifier) @reference.type)
(method_declaration type: (type_identifier) @reference.type)
(annotation_type_element_declaration type: (type_identifier) @reference.type)
(field_declaration type: (type_identifier) @reference.type)
(constant_declaration type: (type_identifier) @reference.type)
(formal_parameter type: (type_identifier) @reference.type)
(spread_parameter (type_identifier) @reference.type)
(array_creation_expression type: (type_identifier) @reference.type)
(cast_expression type: (type_identifier) @reference.type)
(instanceof_expression right: (type_identifier) @reference.type)
(class_literal (type_identifier) @reference.type)
(type_pattern (type_identifier) @reference.type)
(record_pattern . (identifier) @reference.type)
(record_pattern_component (type_identifier) @reference.type)
((local_variable_declaration type: (type_identifier) @reference.type) (#not-eq? @reference.type "var"))
((enhanced_for_statement type: (type_identifier) @reference.type) (#not-eq? @reference.type "var"))
((resource type: (type_identifier) @reference.type) (#not-eq? @reference.type "var"))
(uses_module_directive type: [(identifier) @reference.type (scoped_identifier name: (identifier) @reference.type)])

; Values: every other name, as far as the file imports or defines it.
(field_access object: (_) @receiver field: (identifier) @reference.name)

; Variables with a type.
(formal_parameter type: [(type_identifier) (scoped_type_identifier) (generic_type)] @type name: (identifier) @variable)
(local_variable_declaration type: [(type_identifier) (scoped_type_identifier) (generic_type)] @type
  declarator: (variable_declarator name: (identifier) @variable))
(field_declaration type: [(type_identifier) (scoped_type_identifier) (generic_type)] @type
  declarator: (variable_declarator name: (identifier) @variable))
