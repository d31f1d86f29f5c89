; Tables, their keys and the keys of the top level. A quoted key keeps its quotes. Not expressible: where a table
; ends, since its node runs up to the next one's bracket, with the blank lines and comments in between.
(table [(bare_key) (quoted_key) (dotted_key)] @name) @definition.module
(table_array_element [(bare_key) (quoted_key) (dotted_key)] @name) @definition.module
(document (pair [(bare_key) (quoted_key) (dotted_key)] @name [(inline_table) (array)] @body) @definition.key)
(document (pair [(bare_key) (quoted_key) (dotted_key)] @name) @definition.key)
(table (pair [(bare_key) (quoted_key) (dotted_key)] @name [(inline_table) (array)] @body) @definition.key)
(table (pair [(bare_key) (quoted_key) (dotted_key)] @name) @definition.key)
(table_array_element (pair [(bare_key) (quoted_key) (dotted_key)] @name [(inline_table) (array)] @body) @definition.key)
(table_array_element (pair [(bare_key) (quoted_key) (dotted_key)] @name) @definition.key)

(comment) @comment
