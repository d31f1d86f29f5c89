; Not expressible: what the grammar cannot read, such as `@include module.mixin` (only the name of the module is
; seen), `@extend %placeholder` and some maps.

(rule_set (selectors) @name (block) @body) @definition.selector
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @definition.selector
(mixin_statement name: (identifier) @name (block) @body) @definition.function
(function_statement name: (identifier) @name (block) @body) @definition.function
; Variables of the sheet, and custom properties wherever they are set
(stylesheet (declaration (property_name) @name (#match? @name "^\\$")) @definition.variable)
((declaration (property_name) @name) @definition.variable (#match? @name "^--"))

(comment) @comment
(js_comment) @comment

(use_statement (string_value) @import)
(forward_statement (string_value) @import)
(import_statement (string_value) @import)
(import_statement (ERROR (string_value) @import))
(import_statement (call_expression (arguments [(string_value) (plain_value)] @import)))

(include_statement (identifier) @reference.call)
(call_expression (function_name) @reference.call (#not-eq? @reference.call "url"))
