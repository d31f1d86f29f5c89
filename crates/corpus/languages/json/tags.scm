; The keys of the first two levels. One with an escape in it keeps its quotes, since its text is in several nodes;
; one with a dot in it is taken apart like a qualified name; an empty one has no name and is left out.
(document (object (pair
  key: [(string . (string_content) @name .) (string (escape_sequence)) @name]
  value: [(object) (array)] @body) @definition.key))
(document (object (pair key: [(string . (string_content) @name .) (string (escape_sequence)) @name]) @definition.key))
(document (object (pair value: (object (pair
  key: [(string . (string_content) @name .) (string (escape_sequence)) @name]
  value: [(object) (array)] @body) @definition.key))))
(document (object (pair value: (object (pair key: [(string . (string_content) @name .) (string (escape_sequence)) @name]) @definition.key))))

(comment) @comment
