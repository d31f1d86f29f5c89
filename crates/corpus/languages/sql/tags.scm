; Not expressible: procedures, domains, policies and [bracketed] names, for which the grammar has no rule, and
; the values of an enum, which carry their quotes. A quoted name keeps its quotes.

(create_table [(keyword_table) (keyword_exists)] . (object_reference) @name (column_definitions) @body) @definition.table
(create_table [(keyword_table) (keyword_exists)] . (object_reference) @name (keyword_as) @body) @definition.table
(create_table [(keyword_table) (keyword_exists)] . (object_reference) @name) @definition.table
(create_view [(keyword_view) (keyword_exists)] . (object_reference) @name (keyword_as) @body) @definition.table
(create_materialized_view [(keyword_view) (keyword_exists)] . (object_reference) @name (keyword_as) @body) @definition.table
(column_definition name: (_) @name) @definition.field
(alter_table [(keyword_table) (keyword_exists) (keyword_only)] . (object_reference) @name (add_column)) @container

(create_function (keyword_function) . (object_reference) @name (function_body) @body) @definition.function
(create_function (keyword_function) . (object_reference) @name) @definition.function
(create_trigger (keyword_trigger) . (object_reference) @name) @definition.function
(create_index column: (identifier) @name) @definition.type
(create_type (keyword_type) . (object_reference) @name (enum_elements) @body) @definition.enum
(create_type (keyword_type) . (object_reference) @name (column_definitions) @body) @definition.struct
(create_type (keyword_type) . (object_reference) @name) @definition.type
(create_sequence [(keyword_sequence) (keyword_exists)] . (object_reference) @name) @definition.type
(create_schema [(keyword_schema) (keyword_exists)] . (identifier) @name) @definition.module
(create_database (keyword_database) . (identifier) @name) @definition.module

(comment) @comment
(marginalia) @comment

(create_extension [(keyword_extension) (keyword_exists)] . [(identifier) (literal)] @import)

; References: a table is to a query what a type is to a program.
(relation (object_reference name: (identifier) @reference.type))
(insert (object_reference name: (identifier) @reference.type))
(constraint (object_reference name: (identifier) @reference.type))
(column_definition (keyword_references) . (object_reference name: (identifier) @reference.type))
(create_index (keyword_on) . (object_reference name: (identifier) @reference.type))
(create_trigger (keyword_on) . (object_reference name: (identifier) @reference.type))
(create_trigger [(keyword_function) (keyword_procedure)] . (object_reference name: (identifier) @reference.call))
(invocation (object_reference name: (identifier) @reference.call))
