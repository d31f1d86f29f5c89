; Not expressible: a symbol is one token, so names given as symbols keep their colon (`:title` of
; `attr_reader :title`); a bare `name` may be a call or a local variable, so only calls with a
; receiver, arguments or a block count; `autoload :Name` without a path names no file.
; A test's name keeps its quotes where the string has interpolations or escapes in it.

; A comment between the head and the body belongs to neither, so a signature ends at it.
(class name: (_) @name superclass: (_)? . (comment) @body) @definition.class
(class name: (_) @name body: (_)? @body) @definition.class
(module name: (_) @name . (comment) @body) @definition.module
(module name: (_) @name body: (_)? @body) @definition.module

; Methods. Only those at the top level are functions; a module's are methods as a class's are.
(program (method name: (_) @name parameters: (_)? . (comment) @body) @definition.function)
(program (method name: (_) @name body: (_)? @body) @definition.function)
(program (singleton_method
  object: (constant) @scope name: (_) @name parameters: (_)? . (comment) @body) @definition.method)
(program (singleton_method
  object: (constant) @scope name: (_) @name body: (_)? @body) @definition.method)
; `private def name`
(call method: (identifier) arguments: (argument_list . [
  (method name: (_) @name parameters: (_)? . (comment) @body)
  (singleton_method name: (_) @name parameters: (_)? . (comment) @body)
])) @definition.method
(call method: (identifier) arguments: (argument_list . [
  (method name: (_) @name body: (_)? @body)
  (singleton_method name: (_) @name body: (_)? @body)
])) @definition.method
(method name: (_) @name parameters: (_)? . (comment) @body) @definition.method
(method name: (_) @name body: (_)? @body) @definition.method
(singleton_method name: (_) @name parameters: (_)? . (comment) @body) @definition.method
(singleton_method name: (_) @name body: (_)? @body) @definition.method
(alias name: (_) @name) @definition.method
(call !receiver
  method: (identifier) @_define
  arguments: (argument_list . [(simple_symbol) @name (string . (string_content) @name .)])
  block: (_)? @body
  (#any-of? @_define "define_method" "define_singleton_method" "alias_method")) @definition.method

; Attributes; alone one takes the whole line, several have an extent each.
(call !receiver
  method: (identifier) @_attribute
  arguments: [
    (argument_list . (simple_symbol) @name .)
    (argument_list . (simple_symbol) @name . (pair))
  ]
  (#any-of? @_attribute
    "attr" "attr_reader" "attr_writer" "attr_accessor" "class_attribute"
    "mattr_reader" "mattr_writer" "mattr_accessor"
    "cattr_reader" "cattr_writer" "cattr_accessor" "thread_mattr_accessor")) @definition.field
(call !receiver
  method: (identifier) @_attribute
  arguments: (argument_list (simple_symbol) @name @definition.field)
  (#any-of? @_attribute
    "attr" "attr_reader" "attr_writer" "attr_accessor" "class_attribute"
    "mattr_reader" "mattr_writer" "mattr_accessor"
    "cattr_reader" "cattr_writer" "cattr_accessor" "thread_mattr_accessor"))
(class body: (body_statement (call !receiver
  method: (identifier) @_association
  arguments: (argument_list . (simple_symbol) @name)
  (#any-of? @_association "belongs_to" "has_one" "has_many" "has_and_belongs_to_many")) @definition.field))
(class body: (body_statement (assignment left: (class_variable) @name) @definition.field))
(class body: (body_statement (assignment left: (instance_variable) @name) @definition.field))
(module body: (body_statement (assignment left: (class_variable) @name) @definition.field))
(module body: (body_statement (assignment left: (instance_variable) @name) @definition.field))

; Classes made by a call, with the members they list.
(assignment
  left: [(constant) (scope_resolution)] @name
  right: (call
    receiver: (constant) @_maker
    method: (identifier) @_make
    block: (_)? @body)
  (#any-of? @_maker "Struct" "Data" "Class")
  (#any-of? @_make "new" "define")) @definition.class
(assignment
  left: (constant)
  right: (call
    receiver: (constant) @_maker
    method: (identifier)
    arguments: (argument_list (simple_symbol) @name @definition.field))
  (#any-of? @_maker "Struct" "Data"))
(assignment left: [(constant) (scope_resolution)] @name) @definition.constant
(operator_assignment left: (constant) @name) @definition.constant
(program (assignment left: (global_variable) @name) @definition.variable)

(call !receiver
  method: (identifier) @_refine
  arguments: (argument_list . (_) @name)
  block: (_)
  (#eq? @_refine "refine")) @container

; Rake tasks
(call !receiver
  method: (identifier) @_task
  arguments: (argument_list . [
    (simple_symbol) @name
    (string . (string_content) @name .)
    (pair key: [(hash_key_symbol) (simple_symbol)] @name)
    (pair key: (string . (string_content) @name .))
  ])
  block: (_) @body
  (#eq? @_task "task")) @definition.function

; Tests
(call
  method: (identifier) @_test
  arguments: (argument_list . [
    (string . (string_content) @name .)
    (string [(interpolation) (escape_sequence)]) @name
    (constant) @name
    (scope_resolution) @name
  ])
  block: (_) @body
  (#any-of? @_test
    "it" "specify" "example" "scenario" "test" "should"
    "describe" "context" "feature" "shared_examples" "shared_context")) @definition.test

(comment) @comment
; Sorbet's `sig { returns(String) }` above a method, Rake's `desc "…"` above a task.
((call !receiver method: (identifier) @_sig !arguments block: (_)) @attribute
  (#eq? @_sig "sig"))
((call !receiver method: (identifier) @_desc arguments: (argument_list . (string) .)) @attribute
  (#eq? @_desc "desc"))

; Imports
(call !receiver
  method: (identifier) @_require
  arguments: (argument_list . (string) @import)
  (#any-of? @_require "require" "require_relative" "require_dependency" "load"))
(call
  method: (identifier) @_autoload
  arguments: (argument_list . (simple_symbol) . (string) @import)
  (#eq? @_autoload "autoload"))

; References
(call receiver: (_)? @receiver method: [(identifier) (constant)] @reference.call)
(call
  receiver: [(constant) @reference.call (scope_resolution name: (constant) @reference.call)]
  method: (identifier) @_new
  (#eq? @_new "new"))
(superclass (constant) @reference.extends)
(exceptions (constant) @reference.type)
; Elsewhere a constant in capitals is more likely a value than a class, short ones apart (URI).
([
  (call receiver: (constant) @reference.type)
  (argument_list (constant) @reference.type)
  (scope_resolution scope: (constant) @reference.type)
  (scope_resolution scope: (scope_resolution name: (constant) @reference.type))
  (call receiver: (scope_resolution name: (constant) @reference.type))
  (argument_list (scope_resolution name: (constant) @reference.type))
  (superclass (scope_resolution name: (constant) @reference.extends))
  (exceptions (scope_resolution name: (constant) @reference.type))
  (pattern (constant) @reference.type)
  (pattern (scope_resolution name: (constant) @reference.type))
  (array_pattern class: (constant) @reference.type)
  (hash_pattern class: (constant) @reference.type)
  (in_clause pattern: (constant) @reference.type)
  (array (constant) @reference.type)
  (binary right: (constant) @reference.type)
] (#match? @reference.type "[a-z]|^[A-Z]{1,4}$"))
