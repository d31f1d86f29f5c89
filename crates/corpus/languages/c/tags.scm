; Not expressible: whatever a macro expands to, and that a variable is local when it stands six
; `#if`s deep in a function. Where `extern "C" {` under its own `#ifdef` unbalances the braces, the
; grammar reads prototypes as fields of nothing; the pattern marked (*) takes them for functions.
; One of several names in a list stands for itself, without the type before it.

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
(function_definition (declaration declarator: [(identifier) @name (_ . (identifier) @name .)
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

; Tests defined by a macro: `TEST_IMPL(name) { … }`
(function_definition
  type: (type_identifier) @_macro
  declarator: (parenthesized_declarator (identifier) @name)
  body: (_) @body
  (#match? @_macro "TEST")) @definition.test

; Functions, with pointers to return and the odd spellings: `MACRO(f) { … }`, `int (f)(void)` and a
; function that returns a pointer to a function
(function_definition declarator: (parenthesized_declarator (identifier) @name) body: (_) @body) @definition.function
(function_definition declarator: [
  (_ declarator: (identifier) @name parameters: (_))
  (_ declarator: (_ declarator: (identifier) @name parameters: (_)))
  (_ declarator: (_ declarator: (_ declarator: (identifier) @name parameters: (_))))
  (_ declarator: (parenthesized_declarator (identifier) @name) parameters: (_))
  (_ declarator: (_ (_ declarator: (_ declarator: (identifier) @name parameters: (_)))) parameters: (_))] body: (_) @body) @definition.function
(declaration declarator: [
  (_ declarator: (identifier) @name parameters: (_))
  (_ declarator: (_ declarator: (identifier) @name parameters: (_)))
  (_ declarator: (_ declarator: (_ declarator: (identifier) @name parameters: (_))))
  (_ declarator: (parenthesized_declarator (identifier) @name) parameters: (_))
  (_ declarator: (_ (_ declarator: (_ declarator: (identifier) @name parameters: (_)))) parameters: (_))] ";" @body) @definition.function
; (*) But a word of the language is no name.
((field_declaration declarator: [
  (_ declarator: (field_identifier) @name)
  (_ declarator: (_ declarator: (field_identifier) @name))]) @container
  (#any-of? @name "int" "void" "char" "long" "short" "unsigned"))
(field_declaration declarator: [
  (_ declarator: (field_identifier) @name parameters: (_))
  (_ declarator: (_ declarator: (field_identifier) @name parameters: (_)))
  (_ declarator: (_ declarator: (_ declarator: (field_identifier) @name parameters: (_))))]
  ";" @body) @definition.function
; `API_EXPORT type name(…);` is at times torn apart after the type; then the macro also counts as a
; type and the name as called.
((declaration declarator: (identifier) @reference.type (MISSING ";"))
  . (expression_statement (call_expression function: (identifier) @name) ";" @body) @definition.function)
(declaration declarator: (identifier) @name @container (MISSING ";"))

; Macros: a plain literal is a constant, a header guard is neither.
(preproc_def
  name: (identifier) @name
  value: (preproc_arg) @_value
  (#match? @_value "^[\\s(]*([-+~]?[0-9.]+|L?[\"'])")) @definition.constant
(preproc_def name: (identifier) @name value: (_)) @definition.macro
(preproc_def name: (identifier) @name !value (#not-match? @name "_(H|HPP|HH|INCLUDED|GUARD)_*$")) @definition.macro
(preproc_function_def name: (identifier) @name value: (_)? @body) @definition.macro

; Types
(struct_specifier name: (type_identifier) @name body: (_) @body) @definition.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @definition.union
(enum_specifier name: (type_identifier) @name body: (_) @body) @definition.enum
(enumerator name: (identifier) @name) @definition.variant
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

; Fields. A field whose type is spelled out unnamed in place qualifies the fields inside it.
;
; Behind a macro that stands for fields the grammar takes the type for the name, and the name is
; left over; the container keeps the type from becoming a field.
((field_declaration
  type: (type_identifier)
  declarator: (field_identifier) @reference.type
  . (ERROR (identifier) @name .)) @definition.field
  (#not-any-of? @reference.type "int" "void" "char" "long" "short" "double" "float" "unsigned" "bool"))
(field_declaration
  type: (type_identifier) declarator: (field_identifier) . (ERROR (identifier) @name .)) @definition.field
(field_declaration
  type: (type_identifier) declarator: (field_identifier) @name @container . (ERROR))
; One of several, and one after a type that is spelled out in place.
(field_declaration declarator: [(field_identifier) @name (_ . (field_identifier) @name .)
  (_ declarator: [(field_identifier) @name (_ declarator: [(field_identifier) @name (_ declarator: (field_identifier) @name)])
    (parenthesized_declarator (_ declarator: (field_identifier) @name))
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))])] @definition.field . (bitfield_clause)? . ",")
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
    (_ declarator: (parenthesized_declarator (_ declarator: (field_identifier) @name)))])] ";" @body) @definition.field

; Variables and constants of the file. A `const` to the right of every `*` makes a constant.
; What the grammar could not place may be local or not; static and extern are taken.
((ERROR (declaration (storage_class_specifier) declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.constant)
  (#match? @definition.constant "^([^*=;({]*\\b)?const\\b[^*=;({]*[=;\\[]|^[^=;({]*[*]\\s*const\\b[^*=;({]*[=;\\[]"))
(ERROR (declaration (storage_class_specifier) declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
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
  (#any-of? @name "int" "void" "char" "long" "short" "unsigned"))
; One of several, and one after a type that is spelled out in place.
((declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))] @definition.constant . ",") @_whole
  (#match? @_whole "^([^*=;({]*\\b)?const\\b[^*=;({]*[=;\\[]|^[^=;({]*[*]\\s*const\\b[^*=;({]*[=;\\[]"))
(declaration declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))] @definition.variable . ",")
((declaration "," . declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))] @definition.constant) @_whole
  (#match? @_whole "^([^*=;({]*\\b)?const\\b[^*=;({]*[=;\\[]|^[^=;({]*[*]\\s*const\\b[^*=;({]*[=;\\[]"))
(declaration "," . declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))] @definition.variable)
(declaration type: (_ name: (_) body: (_)) declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))] @definition.variable)
(declaration type: (_ !name body: (_) @body) declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.variable
((declaration type: (_) declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.constant
  (#match? @definition.constant "^([^*=;({]*\\b)?const\\b[^*=;({]*[=;\\[]|^[^=;({]*[*]\\s*const\\b[^*=;({]*[=;\\[]"))
(declaration type: (_) declarator: [(identifier) @name (_ . (identifier) @name .)
  (_ declarator: [(identifier) @name (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])
    (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
    (_ declarator: (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)])))])
  (_ declarator: (_ . (identifier) @name .) value: (_))]) @definition.variable

(comment) @comment

; Imports
(preproc_include path: (_) @import)

; References
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression field: (field_identifier) @reference.call))
(call_expression
  function: (parenthesized_expression (pointer_expression argument: (identifier) @reference.call)))
(call_expression function: (parenthesized_expression (pointer_expression
  argument: (field_expression field: (field_identifier) @reference.call))))
(parameter_declaration type: [(type_identifier) @reference.type (_ name: (type_identifier) @reference.type !body)])
(type_definition type: [(type_identifier) @reference.type (_ name: (type_identifier) @reference.type !body)])
(type_descriptor type: [(type_identifier) @reference.type (_ name: (type_identifier) @reference.type !body)])
(field_declaration type: (_ name: (type_identifier) @reference.type !body))
(field_declaration type: (type_identifier) @reference.type . (type_qualifier)* . declarator: (_)
  . [";" "," (bitfield_clause)])
(declaration type: (_ name: (type_identifier) @reference.type !body))
(declaration type: (type_identifier) @reference.type . (type_qualifier)* . declarator: (_))
(function_definition type: (_ name: (type_identifier) @reference.type !body))
(function_definition type: (type_identifier) @reference.type . (type_qualifier)* .
  declarator: [(function_declarator) (pointer_declarator)])
; Behind a macro the grammar does not know, as in `API_EXPORT thing_t* make(void)`, the real type
; is left over.
((declaration (ERROR (identifier) @reference.type .) . declarator: (_))
  (#not-any-of? @reference.type "int" "void" "char" "long" "short" "double" "float" "unsigned" "bool"))
((field_declaration (ERROR (identifier) @reference.type .) . declarator: (_))
  (#not-any-of? @reference.type "int" "void" "char" "long" "short" "double" "float" "unsigned" "bool"))
((function_definition (ERROR (identifier) @reference.type .) . declarator: (_))
  (#not-any-of? @reference.type "int" "void" "char" "long" "short" "double" "float" "unsigned" "bool"))
