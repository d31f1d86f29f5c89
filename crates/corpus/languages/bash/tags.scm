; Not expressible: an alias, since `alias ll='ls'` gives its name and the equals sign as one word;
; the body of a bats test, since the grammar reads `@test "..." {` as a command that ends there;
; and an assignment deeper in the script's own control flow than one `if`, `case` or `{ }`.

; Definitions
(function_definition name: (word) @name body: (_) @body) @definition.function
(command
  name: (command_name (word) @_test)
  argument: (string . (string_content) @name)
  (#eq? @_test "@test")) @definition.test

; Declarations that others can see, the keyword counted in where only one name is declared.
(program (declaration_command . (variable_assignment name: (variable_name) @name) .) @definition.constant
  (#match? @definition.constant "^readonly"))
(program (declaration_command . (word) @_flags . (variable_assignment name: (variable_name) @name) .) @definition.constant
  (#match? @_flags "^-[a-zA-Z]*r"))
(program [
  (declaration_command . (variable_assignment name: (variable_name) @name) .) @definition.variable
  (declaration_command . (word) . (variable_assignment name: (variable_name) @name) .) @definition.variable
  (compound_statement (declaration_command . (variable_assignment name: (variable_name) @name) .) @definition.variable)
  (if_statement (declaration_command . (variable_assignment name: (variable_name) @name) .) @definition.variable)
  (list (declaration_command . (variable_assignment name: (variable_name) @name) .) @definition.variable)
])
(program (declaration_command "readonly" (variable_assignment name: (variable_name) @name) @definition.constant))
(program (declaration_command (variable_assignment name: (variable_name) @name) @definition.variable))
(program [
  (variable_assignment name: (variable_name) @name) @definition.variable
  (variable_assignments (variable_assignment name: (variable_name) @name) @definition.variable)
  (compound_statement (variable_assignment name: (variable_name) @name) @definition.variable)
  (compound_statement (if_statement (variable_assignment name: (variable_name) @name) @definition.variable))
  (if_statement (variable_assignment name: (variable_name) @name) @definition.variable)
  (if_statement (else_clause (variable_assignment name: (variable_name) @name) @definition.variable))
  (case_statement (case_item (variable_assignment name: (variable_name) @name) @definition.variable))
  (list (variable_assignment name: (variable_name) @name) @definition.variable)
])

; Comments, but neither the interpreter line nor a linter's directive is a doc.
((comment) @comment (#not-match? @comment "^#(!| *shellcheck )"))
((comment) @attribute (#match? @attribute "^# *shellcheck "))

; Imports
(command
  name: (command_name (word) @_source) . argument: (_) @import
  (#any-of? @_source "source" "." "\\."))

; References
(command name: (command_name (word) @reference.call) (#match? @reference.call "^[A-Za-z_]"))
