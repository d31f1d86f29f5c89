; Not expressible: whatever a macro expands to, and that a variable is local when it stands six
; `#if`s deep in a function. A conversion operator's name keeps its brackets, as in `operator bool()
; const`, because no node ends before them; one to `std::string` goes by `string`. One of several
; names in a list stands for itself, without the type before it. What `TEST(Suite, Name)` names, and
; what a local such as `Guard hold(mutex)` is made from, also counts as a type, because a parameter
; without a name reads the same. A using-declaration names no header or module, so it is no import.

; Classes and namespaces behind a macro, as in `class API_EXPORT Name { … }` or `MACRO class Name
; { … }`, which the grammar takes for functions with statements inside
(function_definition type: (class_specifier !body) declarator: (identifier) @name body: (_) @body) @definition.class
(function_definition type: (struct_specifier !body) declarator: (identifier) @name body: (_) @body) @definition.struct
((function_definition declarator: (identifier) @_word . (ERROR . (identifier) @name) body: (_) @body) @definition.class
  (#eq? @_word "class"))
((function_definition (ERROR (identifier) @_word .) . declarator: (identifier) @name body: (_) @body) @definition.class
  (#eq? @_word "class"))
((function_definition declarator: (identifier) @_word . (ERROR . (identifier) @name) body: (_) @body) @definition.struct
  (#eq? @_word "struct"))
((function_definition (ERROR (identifier) @_word .) . declarator: (identifier) @name body: (_) @body) @definition.struct
  (#eq? @_word "struct"))
((function_definition declarator: (identifier) @_word . (ERROR . (identifier) @name) body: (_) @body) @definition.module
  (#eq? @_word "namespace"))
((function_definition (ERROR (identifier) @_word .) . declarator: (identifier) @name body: (_) @body) @definition.module
  (#eq? @_word "namespace"))
((function_definition type: (_ !body) declarator: (identifier) @_word . (ERROR (identifier) @reference.type .))
  (#not-any-of? @_word "class" "struct" "namespace"))
(function_definition declarator: (identifier) body: (_
  (declaration declarator: [
    (_ declarator: [(identifier) (operator_name)] @name parameters: (_))
    (_ (_ declarator: [(identifier) (operator_name)] @name parameters: (_)))] ";" @body) @definition.function))
(function_definition declarator: (identifier) body: (_
  (_ label: (_) (declaration declarator: [
    (_ declarator: [(identifier) (operator_name)] @name parameters: (_))
    (_ (_ declarator: [(identifier) (operator_name)] @name parameters: (_)))] ";" @body) @definition.function)))
; What looks local in such a namespace is not.
((function_definition declarator: (identifier) @_word body: (_
  (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.constant))
  (#eq? @_word "namespace")
  (#match? @definition.constant "^([^=;({<]*\\b)?constexpr\\b|^([^*=;({<]*\\b)?const\\b(<[^=;]*>|[^*=;({<])*[=;\\[({]|^[^=;({]*[*]\\s*const\\b[^*=;({]*[=;\\[({]"))
((function_definition (ERROR (identifier) @_word .) . declarator: (identifier) body: (_
  (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.constant))
  (#eq? @_word "namespace")
  (#match? @definition.constant "^([^=;({<]*\\b)?constexpr\\b|^([^*=;({<]*\\b)?const\\b(<[^=;]*>|[^*=;({<])*[=;\\[({]|^[^=;({]*[*]\\s*const\\b[^*=;({]*[=;\\[({]"))
((function_definition declarator: (identifier) @_word body: (_
  (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.variable))
  (#eq? @_word "namespace"))
((function_definition (ERROR (identifier) @_word .) . declarator: (identifier) body: (_
  (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.variable))
  (#eq? @_word "namespace"))
(function_definition declarator: (identifier) body: (_
  (declaration type: (_ !body) declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))]) @definition.field))
(function_definition declarator: (identifier) body: (_
  (_ label: (_) (declaration type: (_ !body) declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))]) @definition.field)))

; Locals. A query cannot say "not inside a function", so they are named first, as containers: these
; stand for nothing, and the patterns further down no longer get their names. The wildcards stand for
; the arrays, pointers, references, brackets and initializers around a name.
(compound_statement (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @container)
(case_statement (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @container)
(labeled_statement (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @container)
(for_statement (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @container)
(condition_clause (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @container)
(init_statement (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @container)
(compound_statement (_ !body (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @container))
(compound_statement (_ !body (_ !body (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @container)))
(compound_statement (_ !body (_ !body (_ !body (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @container))))
(compound_statement (_ !body (_ !body (_ !body (_ !body (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @container)))))
(compound_statement (_ !body (_ !body (_ !body (_ !body (_ !body (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @container))))))

; Tests of the usual frameworks: `TEST(Suite, Name) { … }`, `AUTO_TEST_CASE(name) { … }` and
; `TEST_CASE("name") { … }`. The last is read as a call and a block beside it.
((function_definition
  !type
  declarator: (_
    declarator: (identifier) @_macro
    parameters: (parameter_list . (_ type: (type_identifier) @scope) . (_ type: (type_identifier) @name)))
  body: (_) @body) @definition.test
  (#match? @_macro "TEST"))
((function_definition
  !type
  declarator: (_
    declarator: (identifier) @_macro
    parameters: (parameter_list . (_ type: (type_identifier) @name) .))
  body: (_) @body) @definition.test
  (#match? @_macro "TEST"))
((expression_statement (call_expression
    function: (identifier) @_macro
    arguments: (argument_list . (string_literal (string_content) @name)))) @attribute
  . (compound_statement) @definition.test
  (#any-of? @_macro "TEST_CASE" "SECTION" "SUBCASE" "SCENARIO" "GIVEN" "WHEN" "THEN" "TEST_SUITE"))
((function_definition !type declarator: (_ declarator: (identifier) @name @container))
  (#match? @name "^[A-Z_]*TEST[A-Z_]*$"))

; Not functions: statements and macros in what the grammar could not make sense of.
((function_definition declarator: (_ declarator: (_) @name @container))
  (#any-of? @name "if" "for" "while" "switch" "catch" "return" "else"))
((declaration declarator: (_ declarator: (_) @name @container))
  (#any-of? @name "if" "for" "while" "switch" "catch" "return" "else"))
((field_declaration declarator: (_ declarator: (_) @name @container))
  (#any-of? @name "if" "for" "while" "switch" "catch" "return" "else"))
((compound_statement (function_definition !type declarator: (_ declarator: (identifier) @name @container)))
  (#match? @name "^[A-Z][A-Z0-9_]+$"))
; A macro between the type and the name, as in `Node* nonnull next(…)`, passes for a namespace.
(function_definition
  declarator: (_ (_ declarator: (_ (MISSING "::") name: (_) @name) parameters: (_))) . (_) @body) @definition.function
(declaration
  declarator: (_ (_ declarator: (_ (MISSING "::") name: (_) @name) parameters: (_))) ";" @body) @definition.function
(field_declaration
  declarator: (_ (_ declarator: (_ (MISSING "::") name: (_) @name) parameters: (_))) ";" @body) @definition.function
; One between the type and the name of a parameter makes the whole list look like arguments.
(declaration declarator: (_ declarator: (identifier) @name value: (argument_list (ERROR)))) @definition.function
(declaration declarator: (_
  declarator: (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name)
  value: (argument_list (ERROR)))) @definition.function
; And `MACRO` before `using a::b` or `friend class a::b` makes a variable of it.
((declaration declarator: (_ scope: (_) @_word name: (_) @name)) @container
  (#any-of? @_word "using" "class" "struct"))
((declaration type: (type_identifier) @_word declarator: [(identifier) @name (_ scope: (_) name: (_) @name)]) @container
  (#any-of? @_word "using" "friend"))

; Functions. What follows the name and parameters, be it a body, initializers or `= default`, ends
; the signature.
(template_declaration (template_declaration (function_definition declarator: [
  (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_))
  (_ (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_)))
  (_ (_ (_ declarator: [(identifier) (field_identifier)] @name parameters: (_))))
  (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name
  (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)]))
  (_ scope: (_) @scope name: (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name)
  (_ scope: (_) @scope
    name: (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)])))] . (_) @body))) @definition.function
(template_declaration (function_definition declarator: [
  (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_))
  (_ (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_)))
  (_ (_ (_ declarator: [(identifier) (field_identifier)] @name parameters: (_))))
  (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name
  (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)]))
  (_ scope: (_) @scope name: (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name)
  (_ scope: (_) @scope
    name: (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)])))] . (_) @body)) @definition.function
(function_definition declarator: [
  (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_))
  (_ (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_)))
  (_ (_ (_ declarator: [(identifier) (field_identifier)] @name parameters: (_))))
  (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name
  (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)]))
  (_ scope: (_) @scope name: (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name)
  (_ scope: (_) @scope
    name: (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)])))] . (_) @body) @definition.function
(template_declaration (declaration declarator: [
  (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_))
  (_ (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_)))
  (_ (_ (_ declarator: [(identifier) (field_identifier)] @name parameters: (_))))
  (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name
  (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)]))
  (_ scope: (_) @scope name: (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name)
  (_ scope: (_) @scope
    name: (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)])))] ";" @body)) @definition.function
(template_declaration (friend_declaration (declaration declarator: [
  (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_))
  (_ (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_)))
  (_ (_ (_ declarator: [(identifier) (field_identifier)] @name parameters: (_))))
  (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name
  (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)]))
  (_ scope: (_) @scope name: (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name)
  (_ scope: (_) @scope
    name: (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)])))] ";" @body))) @definition.function
(declaration declarator: [
  (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_))
  (_ (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_)))
  (_ (_ (_ declarator: [(identifier) (field_identifier)] @name parameters: (_))))
  (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name
  (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)]))
  (_ scope: (_) @scope name: (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name)
  (_ scope: (_) @scope
    name: (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)])))] ";" @body) @definition.function
(field_declaration declarator: [
  (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_))
  (_ (_ declarator: [
    (identifier) @name (field_identifier) @name (destructor_name) @name (operator_name) @name
    (_ name: [(identifier) (field_identifier)] @name arguments: (_))
    (_ scope: (_) @scope name: [(identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)
    (_ scope: (_) @scope name: (_ name: (identifier) @name arguments: (_)))] parameters: (_)))
  (_ (_ (_ declarator: [(identifier) (field_identifier)] @name parameters: (_))))
  (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name
  (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)]))
  (_ scope: (_) @scope name: (operator_cast type: [(primitive_type) (type_identifier) (sized_type_specifier)]) @name)
  (_ scope: (_) @scope
    name: (operator_cast type: (_ name: [(type_identifier) @name (_ name: (type_identifier) @name)])))] ";" @body) @definition.function

; Macros: a plain literal is a constant, a header guard is neither.
(preproc_def
  name: (identifier) @name
  value: (preproc_arg) @_value
  (#match? @_value "^[\\s(]*([-+~]?[0-9.]+|L?[\"'])")) @definition.constant
(preproc_def name: (identifier) @name value: (_)) @definition.macro
(preproc_def name: (identifier) @name !value (#not-match? @name "_(H|HPP|HH|INCLUDED|GUARD)_*$")) @definition.macro
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro

; Namespaces and types. A template belongs to what it is a template of; a specialization goes by the
; bare name.
(namespace_definition name: (_) @name body: (_) @body) @definition.module
(namespace_alias_definition name: (_) @name) @definition.module
(template_declaration (class_specifier name: [
  (type_identifier) @name
  (_ name: (type_identifier) @name arguments: (_))
  (_ scope: (_) @scope name: [(type_identifier) (qualified_identifier)] @name)
  (_ scope: (_) @scope name: (_ name: (type_identifier) @name arguments: (_)))] body: (_) @body)) @definition.class
(class_specifier name: [
  (type_identifier) @name
  (_ name: (type_identifier) @name arguments: (_))
  (_ scope: (_) @scope name: [(type_identifier) (qualified_identifier)] @name)
  (_ scope: (_) @scope name: (_ name: (type_identifier) @name arguments: (_)))] body: (_) @body) @definition.class
(template_declaration (struct_specifier name: [
  (type_identifier) @name
  (_ name: (type_identifier) @name arguments: (_))
  (_ scope: (_) @scope name: [(type_identifier) (qualified_identifier)] @name)
  (_ scope: (_) @scope name: (_ name: (type_identifier) @name arguments: (_)))] body: (_) @body)) @definition.struct
(struct_specifier name: [
  (type_identifier) @name
  (_ name: (type_identifier) @name arguments: (_))
  (_ scope: (_) @scope name: [(type_identifier) (qualified_identifier)] @name)
  (_ scope: (_) @scope name: (_ name: (type_identifier) @name arguments: (_)))] body: (_) @body) @definition.struct
(template_declaration (union_specifier name: [
  (type_identifier) @name
  (_ name: (type_identifier) @name arguments: (_))
  (_ scope: (_) @scope name: [(type_identifier) (qualified_identifier)] @name)
  (_ scope: (_) @scope name: (_ name: (type_identifier) @name arguments: (_)))] body: (_) @body)) @definition.union
(union_specifier name: [
  (type_identifier) @name
  (_ name: (type_identifier) @name arguments: (_))
  (_ scope: (_) @scope name: [(type_identifier) (qualified_identifier)] @name)
  (_ scope: (_) @scope name: (_ name: (type_identifier) @name arguments: (_)))] body: (_) @body) @definition.union
(enum_specifier name: [
  (type_identifier) @name
  (_ name: (type_identifier) @name arguments: (_))
  (_ scope: (_) @scope name: [(type_identifier) (qualified_identifier)] @name)
  (_ scope: (_) @scope name: (_ name: (type_identifier) @name arguments: (_)))] body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.variant
(template_declaration (concept_definition name: (identifier) @name . (_) @body)) @definition.trait
(template_declaration (alias_declaration name: (type_identifier) @name ";" @body)) @definition.type
(alias_declaration name: (type_identifier) @name ";" @body) @definition.type
; An unnamed struct takes the name its typedef gives it. A typedef of a named struct stands beside
; it, not around it, so that it does not qualify the fields.
(type_definition
  type: (struct_specifier !name body: (_) @body) @definition.struct . declarator: (type_identifier) @name . ",")
(type_definition
  type: (union_specifier !name body: (_) @body) @definition.union . declarator: (type_identifier) @name . ",")
(type_definition
  type: (enum_specifier !name body: (_) @body) @definition.enum . declarator: (type_identifier) @name . ",")
(type_definition "," . declarator: [(type_identifier) @name (primitive_type) @name (_ . (type_identifier) @name .)
  (_ declarator: [(type_identifier) @name (_ declarator: (type_identifier) @name)
    (parenthesized_declarator (_ declarator: (type_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))])] @definition.type)
(type_definition
  type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition
  type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.union
(type_definition
  type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
((type_definition type: (_ name: (_) @_tag body: (_)) declarator: [(type_identifier) @name (primitive_type) @name (_ . (type_identifier) @name .)
  (_ declarator: [(type_identifier) @name (_ declarator: (type_identifier) @name)
    (parenthesized_declarator (_ declarator: (type_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))])] @definition.type)
  (#not-eq? @name @_tag))
(type_definition declarator: [(type_identifier) @name (primitive_type) @name (_ . (type_identifier) @name .)
  (_ declarator: [(type_identifier) @name (_ declarator: (type_identifier) @name)
    (parenthesized_declarator (_ declarator: (type_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))])] @definition.type . ",")
(type_definition type: (_ !body) declarator: [(type_identifier) @name (primitive_type) @name (_ . (type_identifier) @name .)
  (_ declarator: [(type_identifier) @name (_ declarator: (type_identifier) @name)
    (parenthesized_declarator (_ declarator: (type_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (type_identifier) @name)))])] ";" @body) @definition.type

; Fields. What all objects of a class share and never changes is a constant; a field whose type is
; spelled out unnamed in place qualifies the fields inside it.
((field_declaration
  (storage_class_specifier) @_static (type_qualifier) @_const declarator: [(field_identifier) @name (_ . (field_identifier) @name .)
  (_ declarator: [(field_identifier) @name (_ declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)])
    (parenthesized_declarator (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))])]) @definition.constant
  (#eq? @_static "static") (#any-of? @_const "const" "constexpr"))
; One of several, and one after a type that is spelled out in place.
(field_declaration declarator: [(field_identifier) @name (_ . (field_identifier) @name .)
  (_ declarator: [(field_identifier) @name (_ declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)])
    (parenthesized_declarator (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))])] @definition.field . ",")
(field_declaration declarator: [(field_identifier) @name (_ . (field_identifier) @name .)
  (_ declarator: [(field_identifier) @name (_ declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)])
    (parenthesized_declarator (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))])] @definition.field . default_value: (_) . ",")
(field_declaration "," . declarator: [(field_identifier) @name (_ . (field_identifier) @name .)
  (_ declarator: [(field_identifier) @name (_ declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)])
    (parenthesized_declarator (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))])] @definition.field)
(field_declaration type: (_ name: (_) body: (_)) declarator: [(field_identifier) @name (_ . (field_identifier) @name .)
  (_ declarator: [(field_identifier) @name (_ declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)])
    (parenthesized_declarator (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))])] @definition.field)
(field_declaration type: (_ !name body: (_) @body) declarator: [(field_identifier) @name (_ . (field_identifier) @name .)
  (_ declarator: [(field_identifier) @name (_ declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)])
    (parenthesized_declarator (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))])]) @definition.field
(field_declaration type: (_) declarator: [(field_identifier) @name (_ . (field_identifier) @name .)
  (_ declarator: [(field_identifier) @name (_ declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)])
    (parenthesized_declarator (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))])]) @definition.field

; Variables and constants of the file. A `const` to the right of every `*` makes a constant.
; What the grammar could not place may be local or not; static and extern are taken.
((ERROR (declaration (storage_class_specifier) declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.constant)
  (#match? @definition.constant "^([^=;({<]*\\b)?constexpr\\b|^([^*=;({<]*\\b)?const\\b(<[^=;]*>|[^*=;({<])*[=;\\[({]|^[^=;({]*[*]\\s*const\\b[^*=;({]*[=;\\[({]"))
(ERROR (declaration (storage_class_specifier) declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.variable)
(ERROR (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @container)
; A type behind an unknown macro.
((declaration declarator: (identifier) @name) @container
  (#any-of? @name "int" "void" "char" "long" "short" "unsigned" "bool" "auto" "class" "struct"))
; Variable templates.
((template_declaration (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @_whole) @definition.constant
  (#match? @_whole "^([^=;({<]*\\b)?constexpr\\b|^([^*=;({<]*\\b)?const\\b(<[^=;]*>|[^*=;({<])*[=;\\[({]|^[^=;({]*[*]\\s*const\\b[^*=;({]*[=;\\[({]"))
(template_declaration (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))])) @definition.variable
; One of several, and one after a type that is spelled out in place.
((declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))] @definition.constant . ",") @_whole
  (#match? @_whole "^([^=;({<]*\\b)?constexpr\\b|^([^*=;({<]*\\b)?const\\b(<[^=;]*>|[^*=;({<])*[=;\\[({]|^[^=;({]*[*]\\s*const\\b[^*=;({]*[=;\\[({]"))
(declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))] @definition.variable . ",")
((declaration "," . declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))] @definition.constant) @_whole
  (#match? @_whole "^([^=;({<]*\\b)?constexpr\\b|^([^*=;({<]*\\b)?const\\b(<[^=;]*>|[^*=;({<])*[=;\\[({]|^[^=;({]*[*]\\s*const\\b[^*=;({]*[=;\\[({]"))
(declaration "," . declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))] @definition.variable)
(declaration type: (_ name: (_) body: (_)) declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))] @definition.variable)
(declaration type: (_ !name body: (_) @body) declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.variable
((declaration type: (_) declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.constant
  (#match? @definition.constant "^([^=;({<]*\\b)?constexpr\\b|^([^*=;({<]*\\b)?const\\b(<[^=;]*>|[^*=;({<])*[=;\\[({]|^[^=;({]*[*]\\s*const\\b[^*=;({]*[=;\\[({]"))
(declaration type: (_) declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (_ scope: (_) @scope name: [(identifier) (qualified_identifier)] @name) (_ name: (identifier) @name arguments: (_))
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.variable

(comment) @comment

; Imports
(preproc_include path: (_) @import)

; References
(call_expression function: [
  (identifier) @reference.call
  (_ name: (identifier) @reference.call)
  (_ field: [
    (field_identifier) @reference.call
    (_ name: (field_identifier) @reference.call)
    (dependent_name (_ name: (field_identifier) @reference.call))])
  (_ name: [
    (_ name: (identifier) @reference.call)
    (_ name: (_ name: (identifier) @reference.call))
    (_ name: (_ name: (_ name: (identifier) @reference.call)))
    (_ name: (_ name: (_ name: (_ name: (identifier) @reference.call))))])])
(new_expression type: [
  (type_identifier) @reference.call
  (_ name: (type_identifier) @reference.call)
  (_ name: (_ name: (type_identifier) @reference.call))])
(compound_literal_expression type: [
  (type_identifier) @reference.call
  (_ name: (type_identifier) @reference.call)
  (_ name: (_ name: (type_identifier) @reference.call))])
(parameter_declaration type: [(type_identifier) @reference.type (_ name: (type_identifier) @reference.type !body)])
(optional_parameter_declaration type: (type_identifier) @reference.type)
(variadic_parameter_declaration type: (type_identifier) @reference.type)
(field_declaration type: [(type_identifier) @reference.type (_ name: (type_identifier) @reference.type !body)])
(declaration type: (_ name: (type_identifier) @reference.type !body))
(declaration type: (type_identifier) @reference.type . declarator: (_))
(function_definition type: (type_identifier) @reference.type . declarator: (_))
(type_definition type: (type_identifier) @reference.type)
(type_descriptor type: (type_identifier) @reference.type)
(for_range_loop type: (type_identifier) @reference.type)
(operator_cast type: (type_identifier) @reference.type)
(enum_specifier base: (type_identifier) @reference.type)
(placeholder_type_specifier constraint: (type_identifier) @reference.type)
(base_class_clause (type_identifier) @reference.extends)
(friend_declaration (type_identifier) @reference.type)
(template_type name: (type_identifier) @reference.type)
(qualified_identifier name: (type_identifier) @reference.type)
((qualified_identifier scope: (namespace_identifier) @reference.type) (#match? @reference.type "^[A-Z]"))
