; Elements with an id
(element
  (start_tag (attribute
    (attribute_name) @_id
    [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name]))
  .
  (_) @body
  (#any-of? @_id "id" "ID")) @definition.key
; One without content ends with its tag.
(element
  .
  [
    (start_tag (attribute
      (attribute_name) @_id
      [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name]))
    (self_closing_tag (attribute
      (attribute_name) @_id
      [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name]))
  ] @definition.key
  .
  (#any-of? @_id "id" "ID"))
([
    (script_element
      (start_tag (attribute
        (attribute_name) @_id
        [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name]))
      [(raw_text) (end_tag)] @body)
    (style_element
      (start_tag (attribute
        (attribute_name) @_id
        [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name]))
      [(raw_text) (end_tag)] @body)
  ] @definition.key
  (#any-of? @_id "id" "ID"))

(comment) @comment

; Imports: scripts, and links to what the page needs, whichever attribute comes first.
(script_element
  (start_tag (attribute
    (attribute_name) @_src
    [(quoted_attribute_value (attribute_value) @import) (attribute_value) @import]))
  (#any-of? @_src "src" "SRC"))
(element
  [
    (start_tag
      (tag_name) @_link
      (attribute (attribute_name) @_rel [(quoted_attribute_value (attribute_value) @_kind) (attribute_value) @_kind])
      (attribute (attribute_name) @_href [(quoted_attribute_value (attribute_value) @import) (attribute_value) @import]))
    (start_tag
      (tag_name) @_link
      (attribute (attribute_name) @_href [(quoted_attribute_value (attribute_value) @import) (attribute_value) @import])
      (attribute (attribute_name) @_rel [(quoted_attribute_value (attribute_value) @_kind) (attribute_value) @_kind]))
    (self_closing_tag
      (tag_name) @_link
      (attribute (attribute_name) @_rel [(quoted_attribute_value (attribute_value) @_kind) (attribute_value) @_kind])
      (attribute (attribute_name) @_href [(quoted_attribute_value (attribute_value) @import) (attribute_value) @import]))
    (self_closing_tag
      (tag_name) @_link
      (attribute (attribute_name) @_href [(quoted_attribute_value (attribute_value) @import) (attribute_value) @import])
      (attribute (attribute_name) @_rel [(quoted_attribute_value (attribute_value) @_kind) (attribute_value) @_kind]))
  ]
  (#any-of? @_link "link" "LINK")
  (#eq? @_rel "rel")
  (#eq? @_href "href")
  (#match? @_kind "stylesheet|preload|import|manifest"))
