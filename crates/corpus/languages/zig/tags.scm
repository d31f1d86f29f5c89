; Not expressible: a type made by a function (`fn List(comptime T: type) type`) is the function; its
; members are qualified by it. Generic types in use (`ArrayList(u8)`) parse as calls and are
; recorded as such. `const x = @import("x");` is an import, not a constant, unless it is public.

; Types: constants whose value is a declaration.
(variable_declaration
  "const" . (identifier) @name "=" (struct_declaration "{" @body)) @definition.struct
(variable_declaration
  "const" . (identifier) @name "=" (enum_declaration "{" @body)) @definition.enum
(variable_declaration
  "const" . (identifier) @name "=" (union_declaration "{" @body)) @definition.union
(variable_declaration
  "const" . (identifier) @name "=" (opaque_declaration "{" @body)) @definition.type
(variable_declaration
  "const" . (identifier) @name "=" (error_set_declaration "{" @body)) @definition.enum

(variable_declaration
  "const" . (identifier) @name
  "=" (binary_expression left: (error_set_declaration "{" @body))) @definition.enum
(variable_declaration
  "const" . (identifier) @name
  "=" (binary_expression
    left: (binary_expression left: (error_set_declaration "{" @body)))) @definition.enum

; Members of those, of a type that a function returns and of a field's own type.
([
  (variable_declaration "=" (enum_declaration
    (container_field name: (identifier) @name) @definition.variant))
  (return_expression (enum_declaration
    (container_field name: (identifier) @name) @definition.variant))
  (container_field type: (enum_declaration
    (container_field name: (identifier) @name) @definition.variant))
] (#not-eq? @name "_"))
[
  (variable_declaration "=" (union_declaration
    "enum" (container_field name: (identifier) @name) @definition.variant))
  (return_expression (union_declaration
    "enum" (container_field name: (identifier) @name) @definition.variant))
  (container_field type: (union_declaration
    "enum" (container_field name: (identifier) @name) @definition.variant))
]
[
  (variable_declaration "=" (union_declaration
    (container_field name: (identifier) @name) @definition.field))
  (return_expression (union_declaration
    (container_field name: (identifier) @name) @definition.field))
  (container_field type: (union_declaration
    (container_field name: (identifier) @name) @definition.field))
  (variable_declaration "=" (struct_declaration
    (container_field name: (identifier) @name) @definition.field))
  (return_expression (struct_declaration
    (container_field name: (identifier) @name) @definition.field))
  (container_field type: (struct_declaration
    (container_field name: (identifier) @name) @definition.field))
  (source_file (container_field name: (identifier) @name) @definition.field)
]
(variable_declaration "=" (error_set_declaration (identifier) @name @definition.variant))
(variable_declaration "=" (binary_expression
  left: (error_set_declaration (identifier) @name @definition.variant)))
(variable_declaration "=" (binary_expression
  left: (binary_expression left: (error_set_declaration (identifier) @name @definition.variant))))

; Functions
(struct_declaration
  (function_declaration name: (identifier) @name body: (block) @body) @definition.method)
(struct_declaration
  (function_declaration name: (identifier) @name ";" @body) @definition.method)
(function_declaration name: (identifier) @name body: (block) @body) @definition.function
(function_declaration name: (identifier) @name ";" @body) @definition.function

; Constants and variables outside functions
([
  (source_file (variable_declaration "const" . (identifier) @name) @definition.constant)
  (struct_declaration (variable_declaration "const" . (identifier) @name) @definition.constant)
  (enum_declaration (variable_declaration "const" . (identifier) @name) @definition.constant)
  (union_declaration (variable_declaration "const" . (identifier) @name) @definition.constant)
  (opaque_declaration (variable_declaration "const" . (identifier) @name) @definition.constant)
] (#not-match? @definition.constant "^const [^=]*= (@(import|This)\\([^)]*\\);$|@cImport\\()"))
[
  (source_file (variable_declaration "var" . (identifier) @name) @definition.variable)
  (struct_declaration (variable_declaration "var" . (identifier) @name) @definition.variable)
  (enum_declaration (variable_declaration "var" . (identifier) @name) @definition.variable)
  (union_declaration (variable_declaration "var" . (identifier) @name) @definition.variable)
  (opaque_declaration (variable_declaration "var" . (identifier) @name) @definition.variable)
]

; Tests
(test_declaration [
    (string . (string_content) @name .)
    (string (escape_sequence)) @name
    (identifier) @name
  ]
  (block) @body) @definition.test

(comment) @comment

; Imports
((builtin_function (builtin_identifier) @_import (arguments . (string) @import))
  (#any-of? @_import "@import" "@cInclude"))

; References
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression member: (identifier) @reference.call))
; A type's name starts with a capital.
([
  (parameter type: (identifier) @reference.type)
  (parameter type: (field_expression member: (identifier) @reference.type))
  (container_field type: (identifier) @reference.type)
  (container_field type: (field_expression member: (identifier) @reference.type))
  (function_declaration type: (identifier) @reference.type)
  (function_declaration type: (field_expression member: (identifier) @reference.type))
  (variable_declaration type: (identifier) @reference.type)
  (variable_declaration type: (field_expression member: (identifier) @reference.type))
  (pointer_type (identifier) @reference.type)
  (pointer_type (field_expression member: (identifier) @reference.type))
  (slice_type (identifier) @reference.type)
  (slice_type (field_expression member: (identifier) @reference.type))
  (array_type (identifier) @reference.type)
  (array_type (field_expression member: (identifier) @reference.type))
  (nullable_type (identifier) @reference.type)
  (nullable_type (field_expression member: (identifier) @reference.type))
  (error_union_type (identifier) @reference.type)
  (error_union_type (field_expression member: (identifier) @reference.type))
  (struct_initializer (identifier) @reference.type)
  (struct_initializer (field_expression member: (identifier) @reference.type))
  (call_expression function: (_) (identifier) @reference.type)
  (binary_expression left: (identifier) @reference.type operator: "||")
  (binary_expression operator: "||" right: (identifier) @reference.type)
  (field_expression object: (identifier) @reference.type)
] (#match? @reference.type "^[A-Z]") (#not-eq? @reference.type "Self"))
