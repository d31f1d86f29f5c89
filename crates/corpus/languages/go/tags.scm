; Not expressible: `F[A](x)` may call a function or convert to a type, and the grammar does not say
; which; F is recorded as called and as a type. The fields of a struct type written in place are found in a named
; struct's field only, one level deep. Names declared together (`a, b int`) have an extent each,
; so their signatures are their names.

; Functions
(function_declaration name: (identifier) @name body: (block)? @body) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @scope))
  name: (field_identifier) @name
  body: (block)? @body) @definition.function
(method_elem name: (field_identifier) @name) @definition.function

; Types. In a parenthesised list each stands for itself; alone it takes the keyword in.
(type_declaration "("
  (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @definition.struct)
(type_declaration "("
  (type_spec name: (type_identifier) @name type: (interface_type "{" @body)) @definition.interface)
(type_declaration "(" (type_spec name: (type_identifier) @name) @definition.type)
(type_declaration "(" (type_alias name: (type_identifier) @name) @definition.type)
(type_declaration
  (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body))) @definition.struct
(type_declaration
  (type_spec name: (type_identifier) @name type: (interface_type "{" @body))) @definition.interface
(type_declaration (type_spec name: (type_identifier) @name)) @definition.type
(type_declaration (type_alias name: (type_identifier) @name)) @definition.type

; Fields of named structs, those that share a type first.
(type_spec type: (struct_type (field_declaration_list
  (field_declaration name: (field_identifier) @name @definition.field ","))))
(type_spec type: (struct_type (field_declaration_list
  (field_declaration "," name: (field_identifier) @name @definition.field))))
(type_spec type: (struct_type (field_declaration_list
  (field_declaration
    name: (field_identifier) @name
    type: (struct_type (field_declaration_list) @body)) @definition.field)))
(type_spec type: (struct_type (field_declaration_list
  (field_declaration name: (field_identifier) @name) @definition.field)))
(type_spec type: (struct_type (field_declaration_list
  (field_declaration type: (struct_type (field_declaration_list
    (field_declaration name: (field_identifier) @name @definition.field ",")))))))
(type_spec type: (struct_type (field_declaration_list
  (field_declaration type: (struct_type (field_declaration_list
    (field_declaration "," name: (field_identifier) @name @definition.field)))))))
(type_spec type: (struct_type (field_declaration_list
  (field_declaration type: (struct_type (field_declaration_list
    (field_declaration name: (field_identifier) @name) @definition.field))))))

; Constants and variables of the package; `_` names nothing.
(source_file (const_declaration
  (const_spec (identifier) @name @definition.constant ","))
  (#not-eq? @name "_"))
(source_file (const_declaration
  (const_spec "," (identifier) @name @definition.constant))
  (#not-eq? @name "_"))
(source_file (const_declaration "(" (const_spec . name: (identifier) @name) @definition.constant)
  (#not-eq? @name "_"))
(source_file (const_declaration (const_spec . name: (identifier) @name)) @definition.constant
  (#not-eq? @name "_"))

(source_file (var_declaration
  (var_spec name: (identifier) @name @definition.variable ","))
  (#not-eq? @name "_"))
(source_file (var_declaration
  (var_spec "," name: (identifier) @name @definition.variable))
  (#not-eq? @name "_"))
(source_file (var_declaration (var_spec_list
  (var_spec name: (identifier) @name @definition.variable ",")))
  (#not-eq? @name "_"))
(source_file (var_declaration (var_spec_list
  (var_spec "," name: (identifier) @name @definition.variable)))
  (#not-eq? @name "_"))
(source_file (var_declaration
  (var_spec
    name: (identifier) @name
    value: (expression_list . (func_literal body: (block) @body) .))) @definition.function
  (#not-eq? @name "_"))
(source_file (var_declaration (var_spec_list
  (var_spec
    name: (identifier) @name
    value: (expression_list . (func_literal body: (block) @body) .)) @definition.function))
  (#not-eq? @name "_"))
(source_file (var_declaration (var_spec name: (identifier) @name)) @definition.variable
  (#not-eq? @name "_"))
(source_file (var_declaration (var_spec_list (var_spec name: (identifier) @name) @definition.variable))
  (#not-eq? @name "_"))

; Subtests: t.Run("name", func(t *testing.T) { … })
(call_expression
  function: (selector_expression field: (field_identifier) @_run)
  arguments: (argument_list .
    (interpreted_string_literal (interpreted_string_literal_content) @name) .
    (func_literal body: (block) @body))
  (#eq? @_run "Run")) @definition.test

; Directives to the tools are no part of a doc.
((comment) @comment (#not-match? @comment "^//(go:|line |nolint|export )"))
((comment) @attribute (#match? @attribute "^//(go:|line |nolint|export )"))

; Imports
(import_spec name: [(package_identifier) (blank_identifier)] @import.alias path: (_) @import)
(import_spec name: (dot) @import.name path: (_) @import)
(import_spec path: (_) @import)
(package_clause (package_identifier) @package)

; References
(call_expression function: (identifier) @reference.call)
(call_expression function: (selector_expression
  operand: (_) @receiver field: (field_identifier) @reference.call))
(call_expression function: (index_expression operand: (identifier) @reference.call))
(call_expression function: (index_expression
  operand: (selector_expression field: (field_identifier) @reference.call)))
(call_expression function: (type_instantiation_expression type: (type_identifier) @reference.call))
(type_conversion_expression type: (generic_type type: (type_identifier) @reference.call))
(type_conversion_expression type: (generic_type
  type: (qualified_type name: (type_identifier) @reference.call)))

([
  (parameter_declaration type: (type_identifier) @reference.type)
  (variadic_parameter_declaration type: (type_identifier) @reference.type)
  (field_declaration type: (type_identifier) @reference.type)
  (function_declaration result: (type_identifier) @reference.type)
  (method_declaration result: (type_identifier) @reference.type)
  (method_elem result: (type_identifier) @reference.type)
  (function_type result: (type_identifier) @reference.type)
  (func_literal result: (type_identifier) @reference.type)
  (pointer_type (type_identifier) @reference.type)
  (slice_type element: (type_identifier) @reference.type)
  (array_type element: (type_identifier) @reference.type)
  (implicit_length_array_type element: (type_identifier) @reference.type)
  (map_type key: (type_identifier) @reference.type)
  (map_type value: (type_identifier) @reference.type)
  (channel_type value: (type_identifier) @reference.type)
  (composite_literal type: (type_identifier) @reference.type)
  (type_spec type: (type_identifier) @reference.type)
  (type_alias type: (type_identifier) @reference.type)
  (type_elem (type_identifier) @reference.type)
  (negated_type (type_identifier) @reference.type)
  (type_constraint (type_identifier) @reference.type)
  (type_assertion_expression type: (type_identifier) @reference.type)
  (type_case (type_identifier) @reference.type)
  (var_spec type: (type_identifier) @reference.type)
  (const_spec type: (type_identifier) @reference.type)
  (argument_list (type_identifier) @reference.type)
  (parenthesized_type (type_identifier) @reference.type)
] (#not-any-of? @reference.type
  "any" "bool" "byte" "comparable" "complex64" "complex128" "error" "float32" "float64"
  "int" "int8" "int16" "int32" "int64" "rune" "string"
  "uint" "uint8" "uint16" "uint32" "uint64" "uintptr"))
(qualified_type package: (_) @receiver name: (type_identifier) @reference.type)
(generic_type type: (type_identifier) @reference.type)
(call_expression function: (parenthesized_expression
  (unary_expression operator: "*" operand: (identifier) @reference.type)))

; Values: every other name, as far as the file imports or defines it.
(identifier) @reference.name
(selector_expression operand: (_) @receiver field: (field_identifier) @reference.name)
(parameter_declaration name: (identifier) @no-use)
(keyed_element . (literal_element (identifier) @no-use))

; Embedded types are what a struct or interface is made from.
(field_declaration !name type: [(type_identifier) @reference.extends
  (qualified_type package: (_) @receiver name: (type_identifier) @reference.extends)])
(field_declaration !name "*" type: (type_identifier) @reference.extends)

; Variables with a type, and those made by a literal or a call.
(parameter_declaration name: (identifier) @variable type: [
  (type_identifier) @type (qualified_type) @type (pointer_type [(type_identifier) (qualified_type)] @type)])
(var_spec name: (identifier) @variable type: [
  (type_identifier) @type (qualified_type) @type (pointer_type [(type_identifier) (qualified_type)] @type)])
(field_declaration name: (field_identifier) @variable type: [
  (type_identifier) @type (qualified_type) @type (pointer_type [(type_identifier) (qualified_type)] @type)])
(short_var_declaration left: (expression_list . (identifier) @variable) right: (expression_list . [
  (composite_literal type: (_) @type)
  (unary_expression operand: (composite_literal type: (_) @type))
  (call_expression) @type]))
