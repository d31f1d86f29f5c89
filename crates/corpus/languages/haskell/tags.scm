; An equation is a symbol of its own. A type signature counts among the lines that lead to the first one and
; as part of its doc, since no node of the grammar holds both. Not expressible: a doc that follows its
; subject (`-- ^`).
; The functions of a `where` are locals and left out, and so are the defaults of a class's functions.

(header module: (module) @name exports: (exports) @body) @definition.module
(header module: (module) @name "where" @body) @definition.module

; Types. One constructor makes a struct, several an enum.
(data_type name: (name) @name [(comment) (haddock)] @body "=" constructors: (data_constructors "|")) @definition.enum
(data_type name: (name) @name "=" @body constructors: (data_constructors "|")) @definition.enum
(data_type name: (name) @name "=" @body constructors: (data_constructors)) @definition.struct
(data_type name: (name) @name "where" @body constructors: (gadt_constructors)) @definition.enum
(data_type name: (name) @name) @definition.type
(newtype name: (name) @name "=" @body constructor: (_)) @definition.struct
(newtype name: (name) @name) @definition.struct
(type_synonym name: (name) @name) @definition.type
(type_family name: (name) @name) @definition.type
(data_family name: (name) @name) @definition.type
(class name: (name) @name "where"? @body) @definition.trait

(data_constructor constructor: (prefix name: (constructor) @name)) @definition.variant
(data_constructor constructor: (infix operator: (_) @name)) @definition.variant
(data_constructor constructor: (record name: (constructor) @name @definition.variant))
(newtype_constructor name: (constructor) @name @definition.variant)
(gadt_constructor name: (constructor) @name) @definition.variant
(gadt_constructor names: (binding_list name: (constructor) @name @definition.variant))
(field . name: (field_name (variable) @name) . type: (_)) @definition.field
(field name: (field_name (variable) @name) @definition.field)

; An instance qualifies its functions by the type it is for, or by the class where the type has no name.
(instance patterns: (type_patterns . [
  (name) @name
  (qualified id: (name) @name)
  (parens type: (apply constructor: [(name) @name (qualified id: (name) @name)]))
  (parens type: (apply constructor: (apply constructor: (name) @name)))
])) @container
(instance name: [(name) @name (qualified id: (name) @name)] patterns: (type_patterns . [
  (list) (prefix_list) (tuple) (prefix_tuple) (unit) (variable) (literal) (promoted)
  (parens type: [(function) (infix) (list) (tuple)])
  (parens type: (apply constructor: [(prefix_list) (prefix_tuple) (prefix_id) (variable) (parens) (promoted)]))
])) @container

; Functions, those right below their signature first. A value of a plain type is a constant.
(declarations
  (signature name: [(variable) @_signature (prefix_id (operator) @_signature)] type: [(name) (qualified) (list) (tuple)]) @attribute @doc
  .
  [(pragma) (comment) (haddock)]*
  .
  (bind name: (variable) @name [(match) (comment)] @body) @definition.constant
  (#eq? @_signature @name))
(declarations
  (signature name: [(variable) @_signature (prefix_id (operator) @_signature)]) @attribute @doc
  .
  [(pragma) (comment) (haddock)]*
  .
  [
    (function name: [(variable) @name (prefix_id (operator) @name)] patterns: (patterns) [(match) (comment)] @body)
    (function (infix operator: [(operator) @name (infix_id (variable) @name)]) [(match) (comment)] @body)
    (function parens: (function_head_parens (infix operator: [(operator) @name (infix_id (variable) @name)])) patterns: (patterns) [(match) (comment)] @body)
    (bind name: [(variable) @name (prefix_id (operator) @name)] [(match) (comment)] @body)
  ] @definition.function
  (#eq? @_signature @name))
(declarations [
    (function name: [(variable) @name (prefix_id (operator) @name)] patterns: (patterns) [(match) (comment)] @body)
    (function (infix operator: [(operator) @name (infix_id (variable) @name)]) [(match) (comment)] @body)
    (function parens: (function_head_parens (infix operator: [(operator) @name (infix_id (variable) @name)])) patterns: (patterns) [(match) (comment)] @body)
    (bind name: [(variable) @name (prefix_id (operator) @name)] [(match) (comment)] @body)
  ] @definition.function)
(declarations (bind pattern: (tuple element: (variable) @name @definition.constant)))
(class_declarations (signature name: [(variable) @name (prefix_id (operator) @name)]) @definition.method)
(class_declarations (signature names: (binding_list name: (variable) @name @definition.method)))
(instance_declarations [
    (function name: [(variable) @name (prefix_id (operator) @name)] patterns: (patterns) [(match) (comment)] @body)
    (function (infix operator: [(operator) @name (infix_id (variable) @name)]) [(match) (comment)] @body)
    (function parens: (function_head_parens (infix operator: [(operator) @name (infix_id (variable) @name)])) patterns: (patterns) [(match) (comment)] @body)
    (bind name: [(variable) @name (prefix_id (operator) @name)] [(match) (comment)] @body)
  ] @definition.method)
(foreign_import signature: (signature name: (variable) @name)) @definition.function
(pattern_synonym (equation synonym: [(constructor) @name (apply function: (constructor) @name)])) @definition.function

; Comments, and what may stand between a doc and its definition
(comment) @comment
((haddock) @comment (#not-match? @comment "^(--+|\\{-) *\\^"))
((haddock) @_trailing . (comment)+ @attribute (#match? @_trailing "^(--+|\\{-) *\\^"))
(pragma) @attribute
(kind_signature) @attribute
(pattern_synonym (signature)) @attribute

; Imports
(import module: (module) @import)

; References. A constructor counts as called where a value is taken apart, too: the tree does not tell.
(apply function: [
  (variable) @reference.call
  (constructor) @reference.call
  (qualified id: [(variable) (constructor)] @reference.call)
])
(infix operator: (infix_id [(variable) @reference.call (qualified id: (variable) @reference.call)]))
(infix operator: [(operator) @reference.call (qualified id: (operator) @reference.call)]
  (#not-any-of? @reference.call
    "$" "." "<>" "+" "-" "*" "/" "==" "/=" "<" ">" "<=" ">=" "&&" "||" "++" "<$>" "<*>" ">>=" ">>" "*>" "<*" "<|>" "=<<" "$!" "&" "<$" "<&>"))
(infix left_operand: [(variable) @reference.call (qualified id: (variable) @reference.call)] operator: (operator) @_operator
  (#any-of? @_operator "$" "$!" "." "<$>" "=<<" ">=>" "<=<"))
(infix operator: (operator) @_operator right_operand: [(variable) @reference.call (qualified id: (variable) @reference.call)]
  (#any-of? @_operator "." ">>=" ">=>" "<=<" "&" "<&>"))
(exp [(variable) @reference.call (qualified id: (variable) @reference.call)])
(bind expression: [(variable) @reference.call (qualified id: (variable) @reference.call)])
(record expression: [(constructor) @reference.call (qualified id: (constructor) @reference.call)])
(top_splice [(variable) @reference.call (apply function: (variable) @reference.call)])

(apply constructor: (name) @reference.type)
(apply argument: (name) @reference.type)
(signature type: (name) @reference.type)
(function parameter: (name) @reference.type)
(function result: (name) @reference.type)
(context type: (name) @reference.type)
(forall type: (name) @reference.type)
(field type: (name) @reference.type)
(field (name) @reference.type)
(prefix field: (name) @reference.type)
(strict_field type: (name) @reference.type)
(lazy_field type: (name) @reference.type)
(list element: (name) @reference.type)
(tuple element: (name) @reference.type)
(parens type: (name) @reference.type)
(infix left_operand: (name) @reference.type)
(infix right_operand: (name) @reference.type)
(qualified id: (name) @reference.type)
(type_application type: (name) @reference.type)
(type_synonym type: (name) @reference.type)
(type_patterns (name) @reference.type)
(instance name: (name) @reference.type)
(deriving_instance name: (name) @reference.type)
(deriving classes: [(name) @reference.type (tuple (name) @reference.type)])
