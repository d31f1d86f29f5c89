; Only what TypeScript adds: the program puts this file behind ../javascript/tags.scm.
; A field that a constructor's parameter declares (`constructor(private x: X)`) is not listed: it
; would be scoped to the constructor. A decorator of several lines that stands inside what it
; decorates (a field, a class that is not exported) is part of the signature.

; A decorator above a method is an attribute line. Not so if the method has one line only: the
; decorator may stand on it, and the line would then lead to the member below.
(class_body (decorator) @attribute . (method_definition) @_method (#match? @_method "\n"))
(class_body (decorator) @attribute . (decorator))

; Functions without a body. One pattern less would cut a signature of several lines at the first.
(export_statement declaration: (function_signature name: (identifier) @name ";" @body)) @definition.function
(export_statement declaration: (function_signature name: (identifier) @name)) @definition.function
(ambient_declaration (function_signature name: (identifier) @name ";" @body)) @definition.function
(ambient_declaration (function_signature name: (identifier) @name)) @definition.function
(function_signature name: (identifier) @name ";" @body) @definition.function
(function_signature name: (identifier) @name) @definition.function

; Abstract classes
(export_statement decorator: (decorator) @attribute
  declaration: (abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
  (#match? @attribute "\n"))
(export_statement declaration: (abstract_class_declaration name: (_) @name body: (_) @body)) @definition.class
(ambient_declaration (abstract_class_declaration name: (_) @name body: (_) @body)) @definition.class
(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class

; Interfaces, type aliases, enumerations, namespaces
(export_statement declaration: (interface_declaration name: (_) @name body: (_) @body)) @definition.interface
(ambient_declaration (interface_declaration name: (_) @name body: (_) @body)) @definition.interface
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(export_statement declaration: (type_alias_declaration name: (_) @name value: (object_type) @body)) @definition.type
(export_statement declaration: (type_alias_declaration name: (_) @name)) @definition.type
(ambient_declaration (type_alias_declaration name: (_) @name)) @definition.type
(type_alias_declaration name: (_) @name value: (object_type) @body) @definition.type
(type_alias_declaration name: (_) @name) @definition.type
(export_statement declaration: (enum_declaration name: (_) @name body: (_) @body)) @definition.enum
(ambient_declaration (enum_declaration name: (_) @name body: (_) @body)) @definition.enum
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(export_statement declaration: (internal_module
  name: [(identifier) @name (nested_identifier) @name (string (string_fragment) @name)]
  body: (_) @body)) @definition.module
(ambient_declaration [
  (internal_module
    name: [(identifier) @name (nested_identifier) @name (string (string_fragment) @name)]
    body: (_)? @body)
  (module
    name: [(identifier) @name (nested_identifier) @name (string (string_fragment) @name)]
    body: (_)? @body)
]) @definition.module
(internal_module name: [(identifier) (nested_identifier)] @name body: (_) @body) @definition.module
(module name: [(identifier) (nested_identifier)] @name body: (_) @body) @definition.module

; Members
(enum_body name: [(property_identifier) @name (string (string_fragment) @name)] @definition.variant)
(enum_assignment name: [(property_identifier) @name (string (string_fragment) @name)]) @definition.variant
(interface_body (method_signature name: [
  (property_identifier) @name
  (private_property_identifier) @name
  (string (string_fragment) @name)
  (computed_property_name (member_expression property: (property_identifier) @name))
]) @definition.method . [";" ","] @body)
(class_body (method_signature name: [
  (property_identifier) @name
  (private_property_identifier) @name
  (string (string_fragment) @name)
  (computed_property_name (member_expression property: (property_identifier) @name))
]) @definition.method . ";" @body)
(class_body (abstract_method_signature name: [
  (property_identifier) @name
  (private_property_identifier) @name
  (string (string_fragment) @name)
  (computed_property_name (member_expression property: (property_identifier) @name))
]) @definition.method . ";" @body)
(method_signature name: [
  (property_identifier) @name
  (private_property_identifier) @name
  (string (string_fragment) @name)
  (computed_property_name (member_expression property: (property_identifier) @name))
]) @definition.method
(abstract_method_signature name: [
  (property_identifier) @name
  (private_property_identifier) @name
  (string (string_fragment) @name)
  (computed_property_name (member_expression property: (property_identifier) @name))
]) @definition.method
(public_field_definition
  name: [(property_identifier) @name (private_property_identifier) @name (string (string_fragment) @name)]
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @definition.method
(public_field_definition
  name: [
    (property_identifier) @name
    (private_property_identifier) @name
    (string (string_fragment) @name)
    (computed_property_name (member_expression property: (property_identifier) @name))
  ]) @definition.field
(interface_body (property_signature
  name: [(property_identifier) @name (string (string_fragment) @name)]) @definition.field)
(type_alias_declaration value: (object_type (property_signature
  name: [(property_identifier) @name (string (string_fragment) @name)]) @definition.field))
(type_alias_declaration value: (intersection_type (object_type (property_signature
  name: [(property_identifier) @name (string (string_fragment) @name)]) @definition.field)))
(type_alias_declaration value: (generic_type type_arguments: (type_arguments . (intersection_type
  (object_type (property_signature
    name: [(property_identifier) @name (string (string_fragment) @name)]) @definition.field)))))
(type_alias_declaration value: (generic_type type_arguments: (type_arguments . (intersection_type
  (intersection_type (object_type (property_signature
    name: [(property_identifier) @name (string (string_fragment) @name)]) @definition.field))))))
(type_alias_declaration value: (intersection_type (generic_type type_arguments: (type_arguments
  . (intersection_type (object_type (property_signature
    name: [(property_identifier) @name (string (string_fragment) @name)]) @definition.field))))))

; Variables that are only declared, and those of a namespace
(ambient_declaration (lexical_declaration "const"
  . (variable_declarator name: (identifier) @name) .)) @definition.constant
(ambient_declaration (lexical_declaration "let"
  . (variable_declarator name: (identifier) @name) .)) @definition.variable
(ambient_declaration (variable_declaration
  . (variable_declarator name: (identifier) @name) .)) @definition.variable
([
  (ambient_declaration (lexical_declaration "const"
    (variable_declarator name: (identifier) @name) @definition.constant))
  (internal_module body: (statement_block (lexical_declaration "const"
    (variable_declarator name: (identifier) @name) @definition.constant)))
  (module body: (statement_block (lexical_declaration "const"
    (variable_declarator name: (identifier) @name) @definition.constant)))
])
([
  (ambient_declaration [
    (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
    (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  ])
  (ambient_declaration (statement_block [
    (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
    (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  ]))
  (internal_module body: (statement_block [
    (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
    (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  ]))
  (module body: (statement_block [
    (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)
    (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable)
  ]))
])

; Imports
(import_require_clause source: (string) @import)
(import_alias (identifier) . [(identifier) (nested_identifier)] @import)

; Calls
(call_expression function: (non_null_expression (identifier) @reference.call))
(call_expression function: (non_null_expression
  (member_expression object: (_) @receiver property: (property_identifier) @reference.call)))

; Types. A type name is a use, but for the names of declarations and of parameters.
[
  (array_type (type_identifier) @reference.type)
  (as_expression (type_identifier) @reference.type)
  (conditional_type (type_identifier) @reference.type)
  (constraint (type_identifier) @reference.type)
  (constructor_type type: (type_identifier) @reference.type)
  (default_type (type_identifier) @reference.type)
  (extends_type_clause type: (type_identifier) @reference.extends)
  (function_type return_type: (type_identifier) @reference.type)
  (generic_type name: (type_identifier) @reference.type)
  (implements_clause (type_identifier) @reference.implements)
  (implements_clause (generic_type name: (type_identifier) @reference.implements))
  (extends_type_clause type: (generic_type name: (type_identifier) @reference.extends))
  (index_signature index_type: (type_identifier) @reference.type)
  (index_type_query (type_identifier) @reference.type)
  (type_alias_declaration value: (intersection_type (type_identifier) @reference.extends))
  (type_alias_declaration value: (intersection_type
    (intersection_type (type_identifier) @reference.extends)))
  (intersection_type (type_identifier) @reference.type)
  (lookup_type (type_identifier) @reference.type)
  (mapped_type_clause type: (type_identifier) @reference.type)
  (nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.type)
  (optional_type (type_identifier) @reference.type)
  (parenthesized_type (type_identifier) @reference.type)
  (readonly_type (type_identifier) @reference.type)
  (rest_type (type_identifier) @reference.type)
  (satisfies_expression (type_identifier) @reference.type)
  (tuple_type (type_identifier) @reference.type)
  (type_alias_declaration value: (type_identifier) @reference.extends)
  (type_annotation (type_identifier) @reference.type)
  (type_arguments (type_identifier) @reference.type)
  (type_predicate type: (type_identifier) @reference.type)
  (union_type (type_identifier) @reference.type)
]
; Types that have the members of what they are given.
(type_alias_declaration value: (generic_type name: (type_identifier) @_same
  type_arguments: (type_arguments . (type_identifier) @reference.extends))
  (#any-of? @_same "Partial" "Required" "Readonly" "Omit" "Pick"))
(type_alias_declaration value: (intersection_type (generic_type name: (type_identifier) @_same
  type_arguments: (type_arguments . (type_identifier) @reference.extends)))
  (#any-of? @_same "Partial" "Required" "Readonly" "Omit" "Pick"))
(type_arguments . (intersection_type (generic_type name: (type_identifier) @_same
  type_arguments: (type_arguments . (type_identifier) @reference.extends)))
  (#any-of? @_same "Partial" "Required" "Readonly" "Omit" "Pick"))
(type_arguments . (intersection_type (intersection_type (generic_type name: (type_identifier) @_same
  type_arguments: (type_arguments . (type_identifier) @reference.extends))))
  (#any-of? @_same "Partial" "Required" "Readonly" "Omit" "Pick"))
(extends_clause value: (identifier) @reference.extends)
(extends_clause value: (member_expression
  object: (_) @receiver property: (property_identifier) @reference.extends))

; What a type says of one of its members: `Plugin['load']`.
(lookup_type (type_identifier) @receiver (literal_type (string (string_fragment) @reference.name)))

; What is taken out of something is a use of its member.
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @reference.name
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @reference.name)
    (pair_pattern key: (property_identifier) @reference.name)
  ])
  value: [(identifier) (member_expression) (call_expression) (await_expression) (this)] @receiver.typed)
(required_parameter
  pattern: (object_pattern [
    (shorthand_property_identifier_pattern) @reference.name
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @reference.name)
    (pair_pattern key: (property_identifier) @reference.name)
  ])
  type: (type_annotation [(type_identifier) (generic_type) (nested_type_identifier)] @receiver))

; Variables with a type.
(required_parameter pattern: (identifier) @variable type: (type_annotation [
  (type_identifier) (generic_type) (nested_type_identifier) (union_type) (lookup_type)] @type.whole))
(optional_parameter pattern: (identifier) @variable type: (type_annotation [
  (type_identifier) (generic_type) (nested_type_identifier) (union_type) (lookup_type)] @type.whole))
(variable_declarator name: (identifier) @variable type: (type_annotation [
  (type_identifier) (generic_type) (nested_type_identifier) (union_type) (lookup_type)] @type.whole))
(public_field_definition name: [(property_identifier) (private_property_identifier)] @variable
  type: (type_annotation [
    (type_identifier) (generic_type) (nested_type_identifier) (union_type) (lookup_type)] @type.whole))
(property_signature name: (property_identifier) @variable type: (type_annotation [
  (type_identifier) (generic_type) (nested_type_identifier) (union_type) (lookup_type)] @type.whole))
(required_parameter pattern: (identifier) @no-use)
(optional_parameter pattern: (identifier) @no-use)

; Variables that are taken out of something whose type is written down, or can be followed.
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @variable.member
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @variable.member)
    (pair_pattern value: (identifier) @variable.member)
  ])
  !type
  value: [(identifier) (member_expression) (call_expression) (await_expression) (this)] @type)
(required_parameter
  pattern: (object_pattern [
    (shorthand_property_identifier_pattern) @variable.member
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @variable.member)
    (pair_pattern value: (identifier) @variable.member)
  ])
  type: (type_annotation [(type_identifier) (generic_type) (nested_type_identifier)] @type))
(variable_declarator name: (identifier) @variable !type value: [
  (member_expression) (await_expression)] @type)

; Members that literals give to what they are written for: the type beside a variable or a field, what
; `as` and `satisfies` say, what a function returns or takes, what is assigned, and literals in them.
(variable_declarator
  type: (type_annotation [(type_identifier) (generic_type) (nested_type_identifier)] @type.whole)
  value: (object [
    (method_definition name: (property_identifier) @filled)
    (pair key: (property_identifier) @filled)
    (shorthand_property_identifier) @filled]))
(public_field_definition
  type: (type_annotation [(type_identifier) (generic_type) (nested_type_identifier)] @type.whole)
  value: (object [
    (method_definition name: (property_identifier) @filled)
    (pair key: (property_identifier) @filled)
    (shorthand_property_identifier) @filled]))
(satisfies_expression
  (object [
    (method_definition name: (property_identifier) @filled)
    (pair key: (property_identifier) @filled)
    (shorthand_property_identifier) @filled])
  [(type_identifier) (generic_type) (nested_type_identifier)] @type.whole)
(as_expression
  (object [
    (method_definition name: (property_identifier) @filled)
    (pair key: (property_identifier) @filled)
    (shorthand_property_identifier) @filled])
  [(type_identifier) (generic_type) (nested_type_identifier)] @type.whole)
(arrow_function
  return_type: (type_annotation [(type_identifier) (generic_type) (nested_type_identifier)] @type.whole)
  body: (parenthesized_expression (object [
    (method_definition name: (property_identifier) @filled)
    (pair key: (property_identifier) @filled)
    (shorthand_property_identifier) @filled])))
(return_statement (object [
  (method_definition name: (property_identifier) @filled)
  (pair key: (property_identifier) @filled)
  (shorthand_property_identifier) @filled]))
(assignment_expression left: [(member_expression) (identifier)] @type right: (object [
  (method_definition name: (property_identifier) @filled)
  (pair key: (property_identifier) @filled)
  (shorthand_property_identifier) @filled]))
(call_expression function: [(member_expression) (identifier)] @type arguments: (arguments (object [
  (method_definition name: (property_identifier) @filled.argument)
  (pair key: (property_identifier) @filled.argument)
  (shorthand_property_identifier) @filled.argument])))
(new_expression constructor: [(member_expression) (identifier)] @type arguments: (arguments (object [
  (method_definition name: (property_identifier) @filled.argument)
  (pair key: (property_identifier) @filled.argument)
  (shorthand_property_identifier) @filled.argument])))
(pair key: (property_identifier) @type.outer value: (object [
  (method_definition name: (property_identifier) @filled)
  (pair key: (property_identifier) @filled)
  (shorthand_property_identifier) @filled]))
