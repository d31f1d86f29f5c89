; Not expressible: no node holds the path of an import alone, so the whole declaration is taken, its
; keyword included. Where a declaration without a body ends is not to be had, so the signature of one
; that runs over several lines stops at the line of its name. A body that is told by its indentation ends only
; after the blank lines and comments that follow it, so the extent of its definition takes these in.

; Types, objects and packages
(class_definition name: (_) @name body: (_) @body) @definition.class
(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name body: (_)? @body) @definition.class
(trait_definition name: (_) @name body: (_)? @body) @definition.trait
(enum_definition name: (_) @name body: (_) @body) @definition.enum
(simple_enum_case name: (_) @name) @definition.variant
(full_enum_case name: (_) @name) @definition.variant
(type_definition name: (type_identifier) @name) @definition.type
(package_object name: (_) @name body: (_)? @body) @definition.module
(package_clause name: (_) @name body: (_) @body) @definition.module

; A given with members is an object; one without a name qualifies them by its type. An anonymous
; class and an extension qualify their members by the type they are made from or extend.
(given_definition name: (_) @name body: [(with_template_body) (template_body)] @body) @definition.class
(given_definition name: (_) @name body: (_)? @body) @definition.variable
(given_definition
  !name
  return_type: [(type_identifier) @name (generic_type type: (type_identifier) @name)]
  body: [(with_template_body) (template_body)]) @container
; The type stands first, perhaps inside arguments, type arguments and mixins.
(instance_expression . [
  (type_identifier) @name
  (stable_type_identifier (type_identifier) @name .)
  (_ . [(type_identifier) @name (stable_type_identifier (type_identifier) @name .)])
  (_ . (_ . [(type_identifier) @name (stable_type_identifier (type_identifier) @name .)]))
  (_ . (_ . (_ . [(type_identifier) @name (stable_type_identifier (type_identifier) @name .)])))] (template_body)) @container
(extension_definition
  . parameters: (parameters . (parameter
    type: [(type_identifier) @name (generic_type type: (type_identifier) @name)]))) @container
(extension_definition
  . type_parameters: (_) . parameters: (parameters . (parameter
    type: [(type_identifier) @name (generic_type type: (type_identifier) @name)]))) @container

; Functions
(function_definition name: (_) @name body: (_) @body) @definition.function
(function_declaration name: (_) @name) @definition.function

; Tests: `test("name") { … }` and `"it" should "work" in { … }`
((call_expression
  function: (call_expression
    function: (identifier) @_test
    arguments: (arguments . (string) @name))
  arguments: (_) @body) @definition.test
  (#any-of? @_test "test" "it" "describe" "property" "testAsync" "scenario" "feature"))
((infix_expression
  left: [(string) (infix_expression)] @name
  operator: (identifier) @_in
  right: (block) @body) @definition.test
  (#eq? @_in "in"))

; Values and variables of the file and of types; a capital makes a constant. Of several names in one
; definition each stands for itself.
(val_declaration name: (_) @name @definition.field . ",")
(val_declaration "," . name: (_) @name @definition.field)
(var_declaration name: (_) @name @definition.field . ",")
(var_declaration "," . name: (_) @name @definition.field)
((template_body (val_definition pattern: (identifier) @name) @definition.constant)
  (#match? @name "^[A-Z]"))
(template_body [
  (val_definition pattern: [(identifier) (operator_identifier)] @name) @definition.field
  (val_definition pattern: (_ (identifier) @name @definition.field))
  (var_definition pattern: [(identifier) (operator_identifier)] @name) @definition.field
  (var_definition pattern: (_ (identifier) @name @definition.field))
  (val_declaration name: (_) @name) @definition.field
  (var_declaration name: (_) @name) @definition.field])
((enum_body (val_definition pattern: (identifier) @name) @definition.constant)
  (#match? @name "^[A-Z]"))
(enum_body [
  (val_definition pattern: [(identifier) (operator_identifier)] @name) @definition.field
  (val_definition pattern: (_ (identifier) @name @definition.field))
  (var_definition pattern: [(identifier) (operator_identifier)] @name) @definition.field
  (var_definition pattern: (_ (identifier) @name @definition.field))
  (val_declaration name: (_) @name) @definition.field
  (var_declaration name: (_) @name) @definition.field])
((with_template_body (val_definition pattern: (identifier) @name) @definition.constant)
  (#match? @name "^[A-Z]"))
(with_template_body [
  (val_definition pattern: [(identifier) (operator_identifier)] @name) @definition.field
  (val_definition pattern: (_ (identifier) @name @definition.field))
  (var_definition pattern: [(identifier) (operator_identifier)] @name) @definition.field
  (var_definition pattern: (_ (identifier) @name @definition.field))
  (val_declaration name: (_) @name) @definition.field
  (var_declaration name: (_) @name) @definition.field])
((compilation_unit (val_definition pattern: (identifier) @name) @definition.constant)
  (#match? @name "^[A-Z]"))
(compilation_unit [
  (val_definition pattern: [(identifier) (operator_identifier)] @name) @definition.variable
  (val_definition pattern: (_ (identifier) @name @definition.variable))
  (var_definition pattern: [(identifier) (operator_identifier)] @name) @definition.variable
  (var_definition pattern: (_ (identifier) @name @definition.variable))
  (val_declaration name: (_) @name) @definition.variable
  (var_declaration name: (_) @name) @definition.variable])
; Parameters that are fields.
(class_parameter ["val" "var"] name: (_) @name) @definition.field
(class_definition "case" name: (_)
  . class_parameters: (class_parameters (class_parameter name: (_) @name) @definition.field))
(class_definition "case" type_parameters: (_)
  . class_parameters: (class_parameters (class_parameter name: (_) @name) @definition.field))
(full_enum_case name: (_)
  . class_parameters: (class_parameters (class_parameter name: (_) @name) @definition.field))
(full_enum_case type_parameters: (_)
  . class_parameters: (class_parameters (class_parameter name: (_) @name) @definition.field))

(comment) @comment
(block_comment) @comment

; Imports
(import_declaration) @import
(package_clause name: (_) @package)
(export_declaration) @import

; References
((call_expression function: (identifier) @reference.call) (#not-eq? @reference.call "this"))
(call_expression function: [
  (field_expression field: (identifier) @reference.call)
  (generic_function function: (identifier) @reference.call)
  (generic_function function: (field_expression field: (identifier) @reference.call))])
(infix_expression operator: (identifier) @reference.call)
(instance_expression . [
  (type_identifier) @reference.call
  (stable_type_identifier (type_identifier) @reference.call .)
  (_ . [(type_identifier) @reference.call (stable_type_identifier (type_identifier) @reference.call .)])
  (_ . (_ . [(type_identifier) @reference.call (stable_type_identifier (type_identifier) @reference.call .)]))
  (_ . (_ . (_ . [(type_identifier) @reference.call (stable_type_identifier (type_identifier) @reference.call .)])))])
((field_expression value: (identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
(stable_type_identifier (type_identifier) @reference.type .)
(generic_type type: (type_identifier) @reference.type)
(type_arguments (type_identifier) @reference.type)
(infix_type left: (type_identifier) @reference.type)
(infix_type right: (type_identifier) @reference.type)
(compound_type base: (type_identifier) @reference.type)
(compound_type extra: (type_identifier) @reference.type)
(applied_constructor_type . (type_identifier) @reference.type)
(function_type return_type: (type_identifier) @reference.type)
(parameter_types (type_identifier) @reference.type)
(tuple_type (type_identifier) @reference.type)
(projected_type type: (type_identifier) @reference.type)
(annotated_type (type_identifier) @reference.type)
(lazy_parameter_type type: (type_identifier) @reference.type)
(repeated_parameter_type type: (type_identifier) @reference.type)
(upper_bound type: (type_identifier) @reference.type)
(lower_bound type: (type_identifier) @reference.type)
(view_bound type: (type_identifier) @reference.type)
(context_bound type: (type_identifier) @reference.type)
(extends_clause type: (type_identifier) @reference.extends)
(derives_clause type: (type_identifier) @reference.type)
(self_type (type_identifier) @reference.type)
(annotation name: (type_identifier) @reference.type)
(parameter type: (type_identifier) @reference.type)
(parameters type: (type_identifier) @reference.type)
(class_parameter type: (type_identifier) @reference.type)
(function_definition return_type: (type_identifier) @reference.type)
(function_declaration return_type: (type_identifier) @reference.type)
(given_definition return_type: (type_identifier) @reference.type)
(val_definition type: (type_identifier) @reference.type)
(var_definition type: (type_identifier) @reference.type)
(val_declaration type: (type_identifier) @reference.type)
(var_declaration type: (type_identifier) @reference.type)
(type_definition type: (type_identifier) @reference.type)
(binding type: (type_identifier) @reference.type)
(ascription_expression type: (type_identifier) @reference.type)
(typed_pattern type: (type_identifier) @reference.type)
(case_class_pattern type: (type_identifier) @reference.type)
