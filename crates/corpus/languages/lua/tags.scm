; Not expressible: Lua has no types to refer to, and those of annotations stand inside comments. A
; table is a class where its annotation (`---@class`, `---@field`) stands right above it, and a
; variable otherwise. Functions named by a key (`T["key"] = function`) count as methods of T, those
; named by a dot as functions in its scope. Fields set on `self` in a method are not listed.

; Functions. A signature ends at whatever follows the parameters: a comment, or the body.
; `Score.add` in one name is taken apart into scope and name.
(function_declaration
  name: (method_index_expression table: (_) @scope method: (identifier) @name)
  parameters: (parameters) . (_) @body) @definition.method
(function_declaration
  name: (method_index_expression table: (_) @scope method: (identifier) @name)) @definition.method
(function_declaration
  name: [(identifier) (dot_index_expression)] @name
  parameters: (parameters) . (_) @body) @definition.function
(function_declaration
  name: [(identifier) (dot_index_expression)] @name) @definition.function

; Functions assigned to one name
(variable_declaration (assignment_statement
  (variable_list . (identifier) @name .)
  (expression_list
    . (function_definition parameters: (parameters) . (_) @body) .))) @definition.function
(variable_declaration (assignment_statement
  (variable_list . (identifier) @name .)
  (expression_list . (function_definition) .))) @definition.function
(assignment_statement
  (variable_list . [(identifier) (dot_index_expression)] @name .)
  (expression_list
    . (function_definition parameters: (parameters) . (_) @body) .)) @definition.function
(assignment_statement
  (variable_list . [(identifier) (dot_index_expression)] @name .)
  (expression_list . (function_definition) .)) @definition.function
(assignment_statement
  (variable_list . (bracket_index_expression
    table: (_) @scope
    field: (string content: (string_content) @name)) .)
  (expression_list . (function_definition) .)) @definition.method

; Tables that an annotation calls a class
(chunk
  (comment) @_annotation
  . (variable_declaration (assignment_statement
    (variable_list . (identifier) @name .)
    (expression_list . (table_constructor) @body .))) @definition.class
  (#match? @_annotation "^---+ ?@(class|field)"))
(chunk
  (comment) @_annotation
  . (assignment_statement
    (variable_list . [(identifier) (dot_index_expression)] @name .)
    (expression_list . (table_constructor) @body .)) @definition.class
  (#match? @_annotation "^---+ ?@(class|field)"))

; Constants and variables of the file; several in one statement have an extent each, and what is
; required is an import.
(chunk (variable_declaration (assignment_statement
  (variable_list (identifier) @name @definition.variable ","))))
(chunk (variable_declaration (assignment_statement
  (variable_list "," (identifier) @name @definition.variable))))
(chunk (variable_declaration (variable_list (identifier) @name @definition.variable ",")))
(chunk (variable_declaration (variable_list "," (identifier) @name @definition.variable)))
((chunk (variable_declaration (assignment_statement
  (variable_list (identifier) @name))) @definition.constant)
  (#match? @name "^_*[A-Z][A-Z0-9_]+$")
  (#not-match? @definition.constant "^local [^=]*= *(require|dofile)\\b"))
((chunk (variable_declaration (assignment_statement
  (variable_list (identifier) @name (attribute (identifier) @_attribute)))) @definition.constant)
  (#eq? @_attribute "const"))
((chunk (variable_declaration (assignment_statement
  (variable_list (identifier) @name))) @definition.variable)
  (#not-match? @definition.variable "^local [^=]*= *(require|dofile)\\b"))
(chunk (variable_declaration (variable_list (identifier) @name)) @definition.variable)
(chunk (assignment_statement (variable_list (identifier) @name @definition.variable ",")))
(chunk (assignment_statement (variable_list "," (identifier) @name @definition.variable)))
((chunk (assignment_statement (variable_list (identifier) @name)) @definition.constant)
  (#match? @name "^_*[A-Z][A-Z0-9_]+$"))
(chunk (assignment_statement (variable_list (identifier) @name)) @definition.variable)

; Fields: assigned to a table, and written in one, the functions in it one level deeper too.
((chunk (assignment_statement (variable_list . (dot_index_expression) @name .)) @definition.field)
  (#not-match? @name "\\.__index$"))
[
  (chunk (variable_declaration (assignment_statement (expression_list (table_constructor
    (field
      name: [(identifier) @name (string content: (string_content) @name)]
      value: (function_definition parameters: (parameters) . (_) @body)) @definition.function)))))
  (chunk (variable_declaration (assignment_statement (expression_list (table_constructor
    (field value: (table_constructor (field
      name: [(identifier) @name (string content: (string_content) @name)]
      value: (function_definition parameters: (parameters) . (_) @body)) @definition.function)))))))
  (chunk (assignment_statement (expression_list (table_constructor
    (field
      name: [(identifier) @name (string content: (string_content) @name)]
      value: (function_definition parameters: (parameters) . (_) @body)) @definition.function))))
  (chunk (assignment_statement (expression_list (table_constructor
    (field value: (table_constructor (field
      name: [(identifier) @name (string content: (string_content) @name)]
      value: (function_definition parameters: (parameters) . (_) @body)) @definition.function))))))
  (chunk (return_statement (expression_list (table_constructor
    (field
      name: [(identifier) @name (string content: (string_content) @name)]
      value: (function_definition parameters: (parameters) . (_) @body)) @definition.function))))
  (chunk (return_statement (expression_list (table_constructor
    (field value: (table_constructor (field
      name: [(identifier) @name (string content: (string_content) @name)]
      value: (function_definition parameters: (parameters) . (_) @body)) @definition.function))))))
]
[
  (chunk (variable_declaration (assignment_statement (expression_list (table_constructor
    (field
      name: [(identifier) @name (string content: (string_content) @name)]
      value: (function_definition)) @definition.function)))))
  (chunk (variable_declaration (assignment_statement (expression_list (table_constructor
    (field value: (table_constructor (field
      name: [(identifier) @name (string content: (string_content) @name)]
      value: (function_definition)) @definition.function)))))))
  (chunk (assignment_statement (expression_list (table_constructor
    (field
      name: [(identifier) @name (string content: (string_content) @name)]
      value: (function_definition)) @definition.function))))
  (chunk (assignment_statement (expression_list (table_constructor
    (field value: (table_constructor (field
      name: [(identifier) @name (string content: (string_content) @name)]
      value: (function_definition)) @definition.function))))))
  (chunk (return_statement (expression_list (table_constructor
    (field
      name: [(identifier) @name (string content: (string_content) @name)]
      value: (function_definition)) @definition.function))))
  (chunk (return_statement (expression_list (table_constructor
    (field value: (table_constructor (field
      name: [(identifier) @name (string content: (string_content) @name)]
      value: (function_definition)) @definition.function))))))
]
[
  (chunk (variable_declaration (assignment_statement (expression_list (table_constructor
    (field name: [(identifier) @name (string content: (string_content) @name)]) @definition.field)))))
  (chunk (assignment_statement (expression_list (table_constructor
    (field name: [(identifier) @name (string content: (string_content) @name)]) @definition.field))))
  (chunk (return_statement (expression_list (table_constructor
    (field name: [(identifier) @name (string content: (string_content) @name)]) @definition.field))))
]

; Busted specs
(function_call
  name: (identifier) @_test
  arguments: (arguments
    . (string content: (string_content) @name)
    . (function_definition parameters: (parameters) . (_) @body))
  (#any-of? @_test "describe" "context" "it" "test" "spec" "pending" "insulate")) @definition.test

(comment) @comment

; Imports
(function_call
  name: (identifier) @_require
  arguments: (arguments . (string content: (string_content) @import))
  (#any-of? @_require "require" "dofile" "loadfile"))
(function_call
  name: (identifier)
  arguments: (arguments . (identifier) @_require . (string content: (string_content) @import))
  (#eq? @_require "require"))

; References
(function_call name: [
  (identifier) @reference.call
  (dot_index_expression field: (identifier) @reference.call)
  (method_index_expression method: (identifier) @reference.call)
])
