; Not expressible: `namespace A\B;` without braces encloses nothing, so it does not qualify what
; follows, and is left out. A promoted constructor parameter stands inside the constructor and is
; qualified by it. A group import gives its prefix and each of its members, not their joins.

; Types
(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(enum_case name: (name) @name) @definition.variant
(namespace_definition name: (namespace_name) @name body: (_) @body) @definition.module

; Functions
(function_definition name: (name) @name body: (_) @body) @definition.function
(method_declaration name: (name) @name body: (_) @body) @definition.method
(method_declaration name: (name) @name ";" @body) @definition.method
(program (expression_statement (assignment_expression
  left: (variable_name (name) @name)
  right: (anonymous_function body: (_) @body))) @definition.function)
(program (expression_statement (assignment_expression
  left: (variable_name (name) @name)
  right: (arrow_function body: (_) @body))) @definition.function)

; Properties and constants; several in one declaration have an extent each.
(property_declaration (property_element name: (variable_name (name) @name)) @definition.field ",")
(property_declaration "," (property_element name: (variable_name (name) @name)) @definition.field)
(property_declaration
  (property_element name: (variable_name (name) @name))
  (property_hook_list)? @body) @definition.field
(property_promotion_parameter
  name: [(variable_name (name) @name) (by_ref (variable_name (name) @name))]
  (property_hook_list)? @body) @definition.field
(const_declaration (const_element . (name) @name) @definition.constant ",")
(const_declaration "," (const_element . (name) @name) @definition.constant)
(const_declaration (const_element . (name) @name)) @definition.constant
(expression_statement (function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))
  (#eq? @_define "define"))) @definition.constant
(program (expression_statement
  (assignment_expression left: (variable_name (name) @name))) @definition.variable)

; Pest tests
(expression_statement (function_call_expression
  function: (name) @_test
  arguments: (arguments
    . (argument [
      (string . (string_content) @name .)
      (string (escape_sequence)) @name
      (encapsed_string . (string_content) @name .)
    ])
    . (argument [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)]))
  (#any-of? @_test "it" "test" "describe"))) @definition.test

(comment) @comment

; Imports
(namespace_use_clause . [(name) (qualified_name)] @import alias: (name)? @import.alias)
(namespace_definition name: (namespace_name) @package)
(namespace_use_declaration (namespace_name) @import)
[
  (include_expression [
    (string) @import
    (encapsed_string) @import
    (parenthesized_expression [(string) (encapsed_string)] @import)
    (binary_expression right: [(string) (encapsed_string)] @import)
    (parenthesized_expression (binary_expression right: [(string) (encapsed_string)] @import))
  ])
  (include_once_expression [
    (string) @import
    (encapsed_string) @import
    (parenthesized_expression [(string) (encapsed_string)] @import)
    (binary_expression right: [(string) (encapsed_string)] @import)
    (parenthesized_expression (binary_expression right: [(string) (encapsed_string)] @import))
  ])
  (require_expression [
    (string) @import
    (encapsed_string) @import
    (parenthesized_expression [(string) (encapsed_string)] @import)
    (binary_expression right: [(string) (encapsed_string)] @import)
    (parenthesized_expression (binary_expression right: [(string) (encapsed_string)] @import))
  ])
  (require_once_expression [
    (string) @import
    (encapsed_string) @import
    (parenthesized_expression [(string) (encapsed_string)] @import)
    (binary_expression right: [(string) (encapsed_string)] @import)
    (parenthesized_expression (binary_expression right: [(string) (encapsed_string)] @import))
  ])
]

; References
(function_call_expression function: [
  (name) @reference.call
  (qualified_name (name) @reference.call)
  (relative_name (name) @reference.call)
])
(member_call_expression object: (_) @receiver name: (name) @reference.call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @reference.call)
(scoped_call_expression scope: (_) @receiver name: (name) @reference.call)
(attribute . [(name) @reference.call (qualified_name (name) @reference.call)])
; `self`, `static` and `parent` stand for whatever class is around.
([
  (object_creation_expression (name) @reference.call)
  (object_creation_expression (qualified_name (name) @reference.call))
] (#not-any-of? @reference.call "self" "static" "parent"))
([
  (named_type (name) @reference.type)
  (named_type (qualified_name (name) @reference.type))
  (named_type (relative_name (name) @reference.type))
] (#not-any-of? @reference.type "self" "static" "parent"))
(base_clause [(name) @reference.extends (qualified_name (name) @reference.extends)])
(class_interface_clause [(name) @reference.implements (qualified_name (name) @reference.implements)])
(use_declaration [(name) @reference.type (qualified_name (name) @reference.type)])
(scoped_call_expression scope: [(name) @reference.type (qualified_name (name) @reference.type)])
(scoped_property_access_expression
  scope: [(name) @reference.type (qualified_name (name) @reference.type)])
(class_constant_access_expression
  . [(name) @reference.type (qualified_name (name) @reference.type)])
(binary_expression
  operator: "instanceof"
  right: [(name) @reference.type (qualified_name (name) @reference.type)])

; Variables with a type.
(simple_parameter type: (named_type) @type name: (variable_name) @variable)
(assignment_expression left: (variable_name) @variable right: (object_creation_expression) @type)
