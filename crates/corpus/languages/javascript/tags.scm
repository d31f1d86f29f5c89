; Read with the JavaScript, the TypeScript and the TSX grammar, so no pattern may name a node that
; one of the three lacks. Hence a class field is any class member with a `property` (TypeScript
; calls it otherwise), and elements such as `<Panel/>` are no references: the TypeScript grammar
; has no word for them.
;
; Of two patterns that fit, the first wins: exported before bare, single before one of several.

; Functions
(export_statement declaration: [
  (function_declaration name: (identifier) @name body: (_) @body)
  (generator_function_declaration name: (identifier) @name body: (_) @body)
]) @definition.function
(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function
(export_statement "default" @name value: [
  (arrow_function body: (_) @body)
  (function_expression !name body: (_) @body)
  (generator_function !name body: (_) @body)
]) @definition.function
(export_statement value: [
  (function_expression name: (identifier) @name body: (_) @body)
  (generator_function name: (identifier) @name body: (_) @body)
  (call_expression arguments: (arguments . (function_expression name: (identifier) @name body: (_) @body)))
]) @definition.function

; Functions kept in variables, plain or wrapped by one of the usual helpers.
(export_statement declaration: (_ . (variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
]) .)) @definition.function
([
  (lexical_declaration . (variable_declarator name: (identifier) @name value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) .)
  (variable_declaration . (variable_declarator name: (identifier) @name value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) .)
] @definition.function)
(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)
]) @definition.function
(export_statement declaration: (lexical_declaration . (variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: [(identifier) @_wrap (member_expression property: (property_identifier) @_wrap)]
    arguments: (arguments . [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
    ]))) .)
  (#any-of? @_wrap "memo" "forwardRef" "observer" "useCallback" "debounce" "throttle")) @definition.function
((lexical_declaration . (variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: [(identifier) @_wrap (member_expression property: (property_identifier) @_wrap)]
    arguments: (arguments . [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
    ]))) .) @definition.function
  (#any-of? @_wrap "memo" "forwardRef" "observer" "useCallback" "debounce" "throttle"))

; Functions by assignment: `module.exports =`, `exports.f =`, `T.prototype.f =`, `this.f =`, `app.f =`.
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (function_expression name: (identifier) @name body: (_) @body)
  (#eq? @_module "module") (#eq? @_exports "exports")) @definition.function
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
  ]
  (#eq? @_module "module") (#eq? @name "exports")) @definition.function
(assignment_expression
  left: (member_expression
    object: [(identifier) (member_expression object: (identifier))] @_exports
    property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#any-of? @_exports "exports" "module.exports")) @definition.function
(assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @scope property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#eq? @_prototype "prototype")) @definition.method
(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.method
(assignment_expression
  left: (member_expression
    object: [(identifier) (member_expression)] @scope
    property: (property_identifier) @name)
  right: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]
  (#not-eq? @scope "module")) @definition.method
; `T.prototype = { … }` qualifies what stands in it.
(assignment_expression
  left: (member_expression object: (identifier) @name property: (property_identifier) @_prototype)
  right: (object)
  (#eq? @_prototype "prototype")) @container

; Functions with a name of their own, handed to a call or returned.
(expression_statement (call_expression arguments: (arguments
  (function_expression name: (identifier) @name body: (_) @body) @definition.function)))
(return_statement (function_expression name: (identifier) @name body: (_) @body) @definition.function)
(parenthesized_expression (function_expression name: (identifier) @name body: (_) @body) @definition.function)

; Classes. A decorator of several lines is an attribute and the class after it its own extent, else
; the decorator would be part of the signature.
(export_statement decorator: (decorator) @attribute
  declaration: (class_declaration name: (_) @name body: (_) @body) @definition.class
  (#match? @attribute "\n"))
(export_statement decorator: (decorator) @attribute . decorator: (decorator) @_next
  (#match? @_next "\n"))
(export_statement declaration: (class_declaration name: (_) @name body: (_) @body)) @definition.class
(class_declaration name: (_) @name body: (_) @body) @definition.class
(export_statement "default" @name value: (class !name body: (_) @body)) @definition.class
(class name: (_) @name body: (_) @body) @definition.class
(export_statement declaration: (lexical_declaration . (variable_declarator
  name: (identifier) @name value: (class !name body: (_) @body)) .)) @definition.class
(lexical_declaration . (variable_declarator
  name: (identifier) @name value: (class !name body: (_) @body)) .) @definition.class
(assignment_expression
  left: (member_expression property: (property_identifier) @name)
  right: (class !name body: (_) @body)) @definition.class

; Members of classes and objects
(method_definition
  name: [
    (property_identifier) @name
    (private_property_identifier) @name
    (number) @name
    (string (string_fragment) @name)
    (computed_property_name [
      (identifier) @name
      (string (string_fragment) @name)
      (member_expression property: (property_identifier) @name)
    ])
  ]
  body: (_) @body) @definition.method
(class_body (_
  property: [(property_identifier) @name (private_property_identifier) @name (string (string_fragment) @name)]
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @definition.method)
(class_body (_
  property: [(property_identifier) @name (private_property_identifier) @name (string (string_fragment) @name)]
) @definition.field)
; A function under a key, if it has a block, or if the object is kept or given away.
(pair
  key: [(property_identifier) @name (string (string_fragment) @name)]
  value: [
    (arrow_function body: (statement_block) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.method
([
  (variable_declarator value: (object (pair
    key: (property_identifier) @name value: (arrow_function body: (_) @body)) @definition.method))
  (assignment_expression right: (object (pair
    key: (property_identifier) @name value: (arrow_function body: (_) @body)) @definition.method))
  (export_statement value: (object (pair
    key: (property_identifier) @name value: (arrow_function body: (_) @body)) @definition.method))
  (return_statement (object (pair
    key: (property_identifier) @name value: (arrow_function body: (_) @body)) @definition.method))
])

; Constants and variables of a module. What `require` binds is an import, not a definition.
(export_statement declaration: (lexical_declaration "const"
  . (variable_declarator name: (identifier) @name) .)) @definition.constant
(export_statement declaration: (lexical_declaration "let"
  . (variable_declarator name: (identifier) @name) .)) @definition.variable
(export_statement declaration: (variable_declaration
  . (variable_declarator name: (identifier) @name) .)) @definition.variable
(export_statement declaration: (lexical_declaration "const"
  (variable_declarator name: (identifier) @name) @definition.constant))
(export_statement declaration: (lexical_declaration "let"
  (variable_declarator name: (identifier) @name) @definition.variable))
(export_statement declaration: (variable_declaration
  (variable_declarator name: (identifier) @name) @definition.variable))
(export_statement declaration: (_ (variable_declarator name: (object_pattern [
  (shorthand_property_identifier_pattern) @name @definition.constant
  (pair_pattern value: (identifier) @name @definition.constant)
]))))
(program (lexical_declaration "const"
  . (variable_declarator name: (identifier) @name value: (_) @_value) .) @definition.constant
  (#not-match? @_value "^require\\b"))
(program (lexical_declaration "let"
  . (variable_declarator name: (identifier) @name) .) @definition.variable)
(program (variable_declaration
  . (variable_declarator name: (identifier) @name value: (_) @_value) .) @definition.variable
  (#not-match? @_value "^require\\b"))
(program (variable_declaration
  . (variable_declarator name: (identifier) @name !value) .) @definition.variable)
(program (lexical_declaration "const"
  (variable_declarator name: (identifier) @name value: (_) @_value) @definition.constant)
  (#not-match? @_value "^require\\b"))
(program (lexical_declaration "let"
  (variable_declarator name: (identifier) @name) @definition.variable))
(program (variable_declaration
  (variable_declarator name: (identifier) @name value: (_) @_value) @definition.variable)
  (#not-match? @_value "^require\\b"))
(program (variable_declaration
  (variable_declarator name: (identifier) @name !value) @definition.variable))
(program (expression_statement (assignment_expression
  left: (member_expression
    object: [(identifier) (member_expression object: (identifier))] @_exports
    property: (property_identifier) @name)
  right: [
    (array) (binary_expression) (call_expression) (new_expression) (number) (object) (regex)
    (string) (template_string)
  ] @_value
  (#any-of? @_exports "exports" "module.exports")
  (#not-match? @_value "^require\\b")) @definition.variable))

; Tests: `it("…", () => {})`, `test.only(…)`, `describe.each(…)("…", …)`. A title with an escape or a
; substitution in it keeps its quotes, for its content is several nodes.
(call_expression
  function: [
    (identifier) @_test
    (member_expression object: (identifier) @_test)
    (member_expression object: (member_expression object: (identifier) @_test))
    (call_expression function: (member_expression object: (identifier) @_test))
  ]
  arguments: (arguments
    . [
      (string . (string_fragment) @name .)
      (string (escape_sequence)) @name
      (template_string . (string_fragment) @name .)
      (template_string (template_substitution)) @name
    ]
    [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (generator_function body: (_) @body)
    ])
  (#any-of? @_test
    "describe" "it" "test" "suite" "specify" "context" "bench" "fdescribe" "fit" "ftest" "xdescribe"
    "xit" "xtest" "QUnit")) @definition.test
(call_expression
  function: (identifier) @_test
  arguments: (arguments . (string . (string_fragment) @name .) . [(call_expression) (identifier)])
  (#any-of? @_test "describe" "it" "test" "suite" "specify")) @definition.test
(call_expression
  function: (member_expression object: (identifier) @_test property: (property_identifier) @_todo)
  arguments: (arguments . (string . (string_fragment) @name .))
  (#any-of? @_test "describe" "it" "test") (#eq? @_todo "todo")) @definition.test

(comment) @comment
(html_comment) @comment

; Imports
(import_statement source: (string) @import)
(import_statement (import_clause (identifier) @import.alias) source: (string) @import)
(import_statement
  (import_clause (namespace_import "*" @import.name (identifier) @import.alias))
  source: (string) @import)
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import.name alias: (_)? @import.alias)))
  source: (string) @import)
(export_statement source: (string) @import)
(export_statement "*" @import.name source: (string) @import)
(export_statement (namespace_export "*" @import.name (_) @import.alias) source: (string) @import)
(export_statement
  (export_clause (export_specifier name: (_) @import.name alias: (_)? @import.alias))
  source: (string) @import)
(call_expression function: (import) arguments: (arguments . (string) @import))
(call_expression function: (import) arguments: (arguments . [
  (template_string) (identifier) (binary_expression) (member_expression) (call_expression)
] @import.dynamic))
(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string) @import)
  (#eq? @_require "require"))
(call_expression
  function: (identifier) @_require
  arguments: (arguments . [
    (template_string) (identifier) (binary_expression) (member_expression) (call_expression)
  ] @import.dynamic)
  (#eq? @_require "require"))
(variable_declarator
  name: [
    (identifier) @import.alias
    (object_pattern [
      (shorthand_property_identifier_pattern) @import.name
      (pair_pattern key: (_) @import.name value: (identifier) @import.alias)])
  ]
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string) @import))
  (#eq? @_require "require"))
(variable_declarator
  name: [
    (identifier) @import.alias
    (object_pattern [
      (shorthand_property_identifier_pattern) @import.name
      (pair_pattern key: (_) @import.name value: (identifier) @import.alias)])
  ]
  value: (await_expression (call_expression
    function: (import)
    arguments: (arguments . (string) @import))))
(variable_declarator
  name: (identifier) @import.alias
  value: (member_expression
    object: (call_expression
      function: (identifier) @_require
      arguments: (arguments . (string) @import))
    property: (property_identifier) @import.name)
  (#eq? @_require "require"))

; Calls
(call_expression function: (identifier) @reference.call)
(call_expression function: (member_expression object: (_) @receiver property: [
  (property_identifier) (private_property_identifier)] @reference.call))
(new_expression constructor: (identifier) @reference.call)
(new_expression constructor: (member_expression
  object: (_) @receiver property: (property_identifier) @reference.call))
(decorator (identifier) @reference.call)
(decorator (member_expression object: (_) @receiver property: (property_identifier) @reference.call))

; Types. In TypeScript a heritage holds clauses instead, which the first predicate turns away.
((class_heritage (_) @reference.extends) (#match? @reference.extends "^[\\w$]+$"))
(class_heritage (_ object: (_) @receiver property: (property_identifier) @reference.extends))
(binary_expression operator: "instanceof" right: (identifier) @reference.type)
(binary_expression operator: "instanceof"
  right: (member_expression property: (property_identifier) @reference.type))

; Values: every other name, as far as the file imports or defines it.
(identifier) @reference.name
(shorthand_property_identifier) @reference.name
(member_expression object: (_) @receiver.typed property: (property_identifier) @reference.name)
(import_clause (identifier) @no-use)
(namespace_import (identifier) @no-use)
(import_specifier (identifier) @no-use)
(formal_parameters (_) @no-use)

; Variables made by a call.
(variable_declarator name: (identifier) @variable value: [(new_expression) (call_expression)] @type)
(assignment_expression left: (member_expression object: (this)) @variable
  right: (new_expression) @type)
