; The keys of the first two levels. A quoted key keeps its quotes, which are part of its only node; one with a
; dot in it is taken apart like a qualified name.
(document (block_node (block_mapping (block_mapping_pair
  key: (flow_node) @name
  ":" @body
  value: [(block_node) (flow_node [(flow_mapping) (flow_sequence)])]) @definition.key)))
(document (block_node (block_mapping (block_mapping_pair key: (flow_node) @name) @definition.key)))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping (block_mapping_pair
  key: (flow_node) @name
  ":" @body
  value: [(block_node) (flow_node [(flow_mapping) (flow_sequence)])]) @definition.key))))))
(document (block_node (block_mapping (block_mapping_pair value: (block_node (block_mapping
  (block_mapping_pair key: (flow_node) @name) @definition.key))))))
(document (block_node (block_mapping (block_mapping_pair value: (flow_node (flow_mapping
  (flow_pair key: (flow_node) @name) @definition.key))))))

(comment) @comment
