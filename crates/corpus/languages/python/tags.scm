; What `__init__` assigns to `self` is not listed: such a field would be scoped to the method.

; Definitions. A decorator is an attribute line of what it decorates; the signature ends at the
; colon, because comments may stand between it and the body.
(function_definition
  name: (identifier) @name
  ":" @body
  body: (block . (expression_statement [(string) (concatenated_string)] @doc)?)) @definition.function
(class_definition
  name: (identifier) @name
  ":" @body
  body: (block . (expression_statement [(string) (concatenated_string)] @doc)?)) @definition.class
(type_alias_statement left: (type (identifier) @name)) @definition.type
(type_alias_statement left: (type (generic_type . (identifier) @name))) @definition.type

; Names that are bound to a function, a type or a class by an expression.
([
  (module (expression_statement
    (assignment left: (identifier) @name right: (lambda ":" @body)) @definition.function))
  (class_definition body: (block (expression_statement
    (assignment left: (identifier) @name right: (lambda ":" @body)) @definition.function)))
])
(module (expression_statement
  (assignment left: (identifier) @name type: (type (identifier) @_type)) @definition.type
  (#eq? @_type "TypeAlias")))
(module (expression_statement
  (assignment left: (identifier) @name right: (call function: [
    (identifier) @_maker (attribute attribute: (identifier) @_maker)])) @definition.type
  (#any-of? @_maker "NewType" "TypeVar" "TypeVarTuple" "ParamSpec")))
(module (expression_statement
  (assignment left: (identifier) @name right: (call function: [
    (identifier) @_maker (attribute attribute: (identifier) @_maker)])) @definition.class
  (#any-of? @_maker "namedtuple" "NamedTuple" "TypedDict" "make_dataclass")))

; Members of an enumeration.
(class_definition
  superclasses: (argument_list [(identifier) @_base (attribute attribute: (identifier) @_base)])
  body: (block
    (expression_statement (assignment left: (identifier) @name) @definition.variant)
    . (expression_statement (string) @doc)?)
  (#match? @_base "(Enum|Flag|Choices)$"))

; Attributes of a class, with the string that may document them.
(class_definition body: (block
  (expression_statement (assignment left: (identifier) @name) @definition.field)
  . (expression_statement (string) @doc)?))

; One statement may bind several names: each is then its own extent.
(module (expression_statement (assignment left: (pattern_list (identifier) @name @definition.constant))
  (#match? @name "^_*[A-Z][A-Z0-9_]*$")))
(module (expression_statement
  (assignment left: (pattern_list (identifier) @name @definition.variable))))
(class_definition body: (block (expression_statement
  (assignment left: (pattern_list (identifier) @name @definition.field)))))

; Module constants, then other module variables; also where the module chooses or tries first.
(module
  (expression_statement (assignment left: (identifier) @name) @definition.constant)
  . (expression_statement (string) @doc)?
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(module
  (expression_statement (assignment left: (identifier) @name) @definition.variable)
  . (expression_statement (string) @doc)?)
(module [
  (if_statement consequence: (block (expression_statement
    (assignment left: (identifier) @name) @definition.constant)))
  (if_statement alternative: (else_clause body: (block (expression_statement
    (assignment left: (identifier) @name) @definition.constant))))
  (try_statement body: (block (expression_statement
    (assignment left: (identifier) @name) @definition.constant)))
  (try_statement (except_clause (block (expression_statement
    (assignment left: (identifier) @name) @definition.constant))))
] (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(module [
  (if_statement consequence: (block (expression_statement
    (assignment left: (identifier) @name) @definition.variable)))
  (if_statement alternative: (else_clause body: (block (expression_statement
    (assignment left: (identifier) @name) @definition.variable))))
  (try_statement body: (block (expression_statement
    (assignment left: (identifier) @name) @definition.variable)))
  (try_statement (except_clause (block (expression_statement
    (assignment left: (identifier) @name) @definition.variable))))
])

(comment) @comment
(decorator) @attribute

; Imports
(import_statement name: (dotted_name) @import)
(import_statement name: (aliased_import name: (dotted_name) @import alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import name: (dotted_name) @import.name)
(import_from_statement module_name: (_) @import
  name: (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias))
(import_from_statement module_name: (_) @import (wildcard_import) @import.name)
((call function: (identifier) @_load arguments: (argument_list . (_) @import.dynamic))
  (#any-of? @_load "import_module" "__import__"))
; (What it loads is not looked at here: to look at the arguments of every method takes too long.)
((attribute object: (identifier) @_lib attribute: (identifier) @import.dynamic)
  (#eq? @_lib "importlib") (#eq? @import.dynamic "import_module"))
(future_import_statement "__future__" @import)

; Calls
(call function: (identifier) @reference.call)
(call function: (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(decorator (identifier) @reference.call)
(decorator (attribute object: (_) @receiver attribute: (identifier) @reference.call))

; Base classes
(class_definition superclasses: (argument_list [
  (identifier) @reference.extends
  (attribute object: (_) @receiver attribute: (identifier) @reference.extends)
  (subscript value: (identifier) @reference.extends)
  (subscript value: (attribute object: (_) @receiver attribute: (identifier) @reference.extends))
  (subscript subscript: (identifier) @reference.type)
  (keyword_argument value: (identifier) @reference.type)
]))

; Annotations. The plain and the generic name are listed by where they stand, for `type A[T]` and
; `def f[T]` name something new with the same nodes.
[
  (assignment type: (type [(identifier) @reference.type (generic_type . (identifier) @reference.type)]))
  (typed_parameter type: (type [(identifier) @reference.type (generic_type . (identifier) @reference.type)]))
  (typed_default_parameter type: (type [(identifier) @reference.type (generic_type . (identifier) @reference.type)]))
  (function_definition return_type: (type [(identifier) @reference.type (generic_type . (identifier) @reference.type)]))
  (type_alias_statement right: (type [(identifier) @reference.type (generic_type . (identifier) @reference.type)]))
  (generic_type (type_parameter (type [(identifier) @reference.type (generic_type . (identifier) @reference.type)])))
  (constrained_type (type) . (type [(identifier) @reference.type (generic_type . (identifier) @reference.type)]))
  (union_type (type [(identifier) @reference.type (generic_type . (identifier) @reference.type)]))
]
(type [
  (attribute object: (_) @receiver attribute: (identifier) @reference.type)
  (subscript value: [(identifier) @reference.type (attribute object: (_) @receiver attribute: (identifier) @reference.type)])
  (subscript subscript: [(identifier) @reference.type (attribute object: (_) @receiver attribute: (identifier) @reference.type)])
  (subscript subscript: (subscript value: (identifier) @reference.type))
  (subscript subscript: (subscript subscript: (identifier) @reference.type))
  (list [(identifier) @reference.type (attribute object: (_) @receiver attribute: (identifier) @reference.type)])
  (tuple [(identifier) @reference.type (attribute object: (_) @receiver attribute: (identifier) @reference.type)])
])
(type (member_type (type) @receiver (identifier) @reference.type))
; A forward reference in quotes, where it is a bare name.
((type (string (string_content) @reference.type)) (#match? @reference.type "^\\w+$"))
; `A | B | None`, three deep.
(type (binary_operator [
  (identifier) @reference.type
  (attribute object: (_) @receiver attribute: (identifier) @reference.type)
  (subscript value: (identifier) @reference.type)
  (subscript subscript: (identifier) @reference.type)
  (binary_operator [
    (identifier) @reference.type
    (attribute object: (_) @receiver attribute: (identifier) @reference.type)
    (subscript value: (identifier) @reference.type)
    (subscript subscript: (identifier) @reference.type)
    (binary_operator [
      (identifier) @reference.type
      (attribute object: (_) @receiver attribute: (identifier) @reference.type)
      (subscript value: (identifier) @reference.type)
      (subscript subscript: (identifier) @reference.type)
    ])
  ])
]))

; Exceptions that are caught, or raised without a call.
(except_clause value: [
  (identifier) @reference.type
  (attribute object: (_) @receiver attribute: (identifier) @reference.type)
  (tuple [(identifier) @reference.type (attribute object: (_) @receiver attribute: (identifier) @reference.type)])
  (as_pattern . [
    (identifier) @reference.type
    (attribute object: (_) @receiver attribute: (identifier) @reference.type)
    (tuple [(identifier) @reference.type (attribute object: (_) @receiver attribute: (identifier) @reference.type)])
  ])
])
((raise_statement . [(identifier) @reference.type (attribute object: (_) @receiver attribute: (identifier) @reference.type)])
  (#match? @reference.type "^_*[A-Z]"))

; Classes that are matched or tested for.
(class_pattern (dotted_name (identifier) @reference.type .))
((call
  function: (identifier) @_test
  arguments: (argument_list . (_) . [
    (identifier) @reference.type
    (attribute object: (_) @receiver attribute: (identifier) @reference.type)
    (tuple [(identifier) @reference.type (attribute object: (_) @receiver attribute: (identifier) @reference.type)])
  ]))
  (#any-of? @_test "isinstance" "issubclass"))

; Values: every other name, as far as the file imports or defines it.
(identifier) @reference.name
(attribute object: (_) @receiver attribute: (identifier) @reference.name)
(keyword_argument name: (identifier) @no-use)
(parameters (_) @no-use)
(lambda_parameters (_) @no-use)
(import_statement (dotted_name (identifier) @no-use))
(import_statement (aliased_import (dotted_name (identifier) @no-use)))
(import_from_statement (dotted_name (identifier) @no-use))
(import_from_statement (relative_import (dotted_name (identifier) @no-use)))
(import_from_statement (aliased_import (dotted_name (identifier) @no-use)))

; Variables with a type, and those made by a call.
(typed_parameter . (identifier) @variable type: (type [(identifier) (attribute) (generic_type) (subscript)] @type))
(typed_default_parameter name: (identifier) @variable type: (type [(identifier) (attribute) (generic_type) (subscript)] @type))
(assignment left: [(identifier) (attribute)] @variable type: (type [(identifier) (attribute)] @type))
(assignment left: [(identifier) (attribute)] @variable right: (call) @type)
(as_pattern . (call) @type alias: (as_pattern_target (identifier) @variable))
