(rule_set (selectors) @name (block) @body) @definition.selector
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @definition.selector
; Custom properties
((declaration (property_name) @name) @definition.variable (#match? @name "^--"))

(comment) @comment
(js_comment) @comment

(import_statement [
  (string_value) @import
  (call_expression (arguments [(string_value) (plain_value)] @import))
])
