; Not expressible: an operator goes by its sign and a conversion by its type, because no node holds
; `operator +` alone; an indexer is `this`. A namespace without braces does not enclose what follows
; it, so it qualifies nothing. One of several names in a field declaration stands for itself. A
; capitalised name before a dot counts as a type, though it may be a property.

; Namespaces and types
(namespace_declaration name: (_) @name body: (_) @body) @definition.module
(file_scoped_namespace_declaration name: (_) @name) @definition.module
(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(class_declaration name: (identifier) @name !body) @definition.class
(struct_declaration name: (identifier) @name body: (_) @body) @definition.struct
(struct_declaration name: (identifier) @name !body) @definition.struct
(record_declaration name: (identifier) @name body: (_) @body) @definition.struct
(record_declaration name: (identifier) @name ";" @body) @definition.struct
(record_declaration (parameter_list (parameter name: (identifier) @name) @definition.field))
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
; The head of a type whose body the grammar could not read.
(ERROR "class" . (identifier) @name @definition.class)
(ERROR "struct" . (identifier) @name @definition.struct)
(ERROR "interface" . (identifier) @name @definition.interface)
(enum_member_declaration name: (identifier) @name) @definition.variant
(delegate_declaration name: (identifier) @name ";" @body) @definition.type

; Methods and what is like them
(method_declaration name: (identifier) @name body: (_) @body) @definition.method
(method_declaration name: (identifier) @name ";" @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(constructor_declaration name: (identifier) @name ";" @body) @definition.method
(destructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(operator_declaration operator: _ @name body: (_) @body) @definition.method
(operator_declaration operator: _ @name !body) @definition.method
(conversion_operator_declaration type: (_) @name body: (_) @body) @definition.method
(conversion_operator_declaration type: (_) @name !body) @definition.method
(indexer_declaration "this" @name accessors: (_) @body) @definition.method
(indexer_declaration "this" @name value: (_) @body) @definition.method
(local_function_statement name: (identifier) @name body: (_) @body) @definition.function

; Properties, events and fields; const and static readonly ones are constants. One of several stands
; for itself.
(property_declaration name: (identifier) @name accessors: (_) @body) @definition.field
(property_declaration name: (identifier) @name !accessors value: (_) @body) @definition.field
(event_declaration name: (identifier) @name accessors: (_)? @body) @definition.field
(event_field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.field . ","))
(event_field_declaration
  (variable_declaration "," . (variable_declarator name: (identifier) @name) @definition.field))
(event_field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
((field_declaration (modifier) @_modifier
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.constant . ","))
  (#eq? @_modifier "const"))
((field_declaration (modifier) @_modifier
  (variable_declaration "," . (variable_declarator name: (identifier) @name) @definition.constant))
  (#eq? @_modifier "const"))
((field_declaration (modifier) @_modifier
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
  (#eq? @_modifier "const"))
((field_declaration (modifier) @_static (modifier) @_readonly
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.constant . ","))
  (#eq? @_static "static") (#eq? @_readonly "readonly"))
((field_declaration (modifier) @_static (modifier) @_readonly
  (variable_declaration "," . (variable_declarator name: (identifier) @name) @definition.constant))
  (#eq? @_static "static") (#eq? @_readonly "readonly"))
((field_declaration (modifier) @_static (modifier) @_readonly
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.constant
  (#eq? @_static "static") (#eq? @_readonly "readonly"))
(field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name) @definition.field . ","))
(field_declaration
  (variable_declaration "," . (variable_declarator name: (identifier) @name) @definition.field))
(field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field

(comment) @comment
(preproc_pragma) @attribute

; Imports. The last child is what is named, an alias stands before it. Of a generic type only the
; namespace is taken.
(using_directive [(identifier) (qualified_name name: (identifier)) (alias_qualified_name)] @import .)
(using_directive (qualified_name qualifier: (_) @import name: (generic_name)) .)
(extern_alias_directive name: (identifier) @import)
(namespace_declaration name: (_) @package)
(file_scoped_namespace_declaration name: (_) @package)

; References
((invocation_expression function: [(identifier) @reference.call (_ . (identifier) @reference.call (type_argument_list))]) (#not-eq? @reference.call "nameof"))
(invocation_expression function: (_ name: [(identifier) @reference.call (_ . (identifier) @reference.call (type_argument_list))]))
(invocation_expression function: (_ (member_binding_expression name: [(identifier) @reference.call (_ . (identifier) @reference.call (type_argument_list))])))
(object_creation_expression type: [(identifier) @reference.call (_ . (identifier) @reference.call (type_argument_list))
  (_ name: (identifier) @reference.call) (_ name: (_ . (identifier) @reference.call (type_argument_list)))])
((member_access_expression expression: (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
(variable_declaration type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(parameter type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(parameter_list type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(property_declaration type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(event_declaration type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(indexer_declaration type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(delegate_declaration type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(operator_declaration type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(conversion_operator_declaration type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(local_function_statement type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(cast_expression type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(typeof_expression type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(default_expression type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(catch_declaration type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(declaration_pattern type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(recursive_pattern type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(type_pattern type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(foreach_statement type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(nullable_type type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(array_type type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(pointer_type type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(ref_type type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(scoped_type type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(tuple_element type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(type_parameter_constraint type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(primary_constructor_base_type type: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(method_declaration returns: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(as_expression right: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(is_expression right: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(attribute name: [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(base_list [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(type_argument_list [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
(explicit_interface_specifier [(identifier) @reference.type (_ . (identifier) @reference.type (type_argument_list))
  (_ name: (identifier) @reference.type) (_ name: (_ . (identifier) @reference.type (type_argument_list)))])
