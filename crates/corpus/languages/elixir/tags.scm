; Not expressible: the fields of a struct as symbols of their own, since the grammar has `:field` and
; `field: ` as single tokens, colon and all; a struct is listed as `defstruct` in its module's scope.
; A clause is a symbol of its own, and the @doc belongs to the first one.

; Modules. One with a @moduledoc comes first, so that it gets its doc.
(call
  target: (identifier) @_def
  (arguments . (alias) @name)
  (do_block
    (unary_operator operand: (call
      target: (identifier) @_doc
      (arguments . [(string) @doc (sigil (quoted_content) @doc)])))) @body
  (#eq? @_doc "moduledoc")
  (#eq? @_def "defmodule")) @definition.module
(call
  target: (identifier) @_def
  (arguments . (alias) @name)
  (do_block
    (unary_operator operand: (call
      target: (identifier) @_doc
      (arguments . [(string) @doc (sigil (quoted_content) @doc)])))) @body
  (#eq? @_doc "moduledoc")
  (#eq? @_def "defprotocol")) @definition.interface
(call
  target: (identifier) @_def
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_def "defmodule")) @definition.module
(call
  target: (identifier) @_def
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_def "defprotocol")) @definition.interface
; `defimpl Size, for: Cart` defines the module Size.Cart.
(call
  target: (identifier) @_def
  (arguments . (alias) @scope . (keywords (pair value: (alias) @name)))
  (do_block) @body
  (#eq? @_def "defimpl")) @definition.module
(call
  target: (identifier) @_def
  (arguments . (alias) @name . (keywords (pair value: (list)))?  .)
  (do_block) @body
  (#eq? @_def "defimpl")) @definition.module
(call
  target: (identifier) @name
  (arguments)
  (#any-of? @name "defstruct" "defexception")) @definition.struct
; A schema of Ecto
(call
  target: (identifier) @_schema
  (arguments . (string . (quoted_content) @name))
  (do_block) @body
  (#eq? @_schema "schema")) @definition.struct

; Functions and macros, those right below their @doc first.
(
  (unary_operator operand: (call
    target: (identifier) @_doc
    (arguments . [(string) @doc (sigil (quoted_content) @doc)])))
  .
  [(unary_operator operand: (call target: (identifier) @_between)) (comment)]*
  .
  (call
    target: (identifier) @_def
    (arguments . [
      (identifier) @name
      (call target: [(identifier) (call)] @name)
      (binary_operator operator: _ @name)
      (binary_operator left: [
        (identifier) @name
        (call target: (identifier) @name)
        (binary_operator operator: _ @name)
      ] operator: "when")
    ] . ("," @body . (keywords))?)
    (do_block)? @body) @definition.function
  (#any-of? @_def "def" "defp" "defdelegate" "defn" "defnp")
  (#not-any-of? @name "unquote" "when")
  (#eq? @_doc "doc")
  (#any-of? @_between "doc" "spec" "impl" "deprecated" "dialyzer"))
(
  (call
    target: (identifier) @_def
    (arguments . [
      (identifier) @name
      (call target: [(identifier) (call)] @name)
      (binary_operator operator: _ @name)
      (binary_operator left: [
        (identifier) @name
        (call target: (identifier) @name)
        (binary_operator operator: _ @name)
      ] operator: "when")
    ] . ("," @body . (keywords))?)
    (do_block)? @body) @definition.function
  (#any-of? @_def "def" "defp" "defdelegate" "defn" "defnp")
  (#not-any-of? @name "unquote" "when"))
(
  (unary_operator operand: (call
    target: (identifier) @_doc
    (arguments . [(string) @doc (sigil (quoted_content) @doc)])))
  .
  [(unary_operator operand: (call target: (identifier) @_between)) (comment)]*
  .
  (call
    target: (identifier) @_def
    (arguments . [
      (identifier) @name
      (call target: [(identifier) (call)] @name)
      (binary_operator operator: _ @name)
      (binary_operator left: [
        (identifier) @name
        (call target: (identifier) @name)
        (binary_operator operator: _ @name)
      ] operator: "when")
    ] . ("," @body . (keywords))?)
    (do_block)? @body) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")
  (#not-any-of? @name "unquote" "when")
  (#eq? @_doc "doc")
  (#any-of? @_between "doc" "spec" "impl" "deprecated" "dialyzer"))
(
  (call
    target: (identifier) @_def
    (arguments . [
      (identifier) @name
      (call target: [(identifier) (call)] @name)
      (binary_operator operator: _ @name)
      (binary_operator left: [
        (identifier) @name
        (call target: (identifier) @name)
        (binary_operator operator: _ @name)
      ] operator: "when")
    ] . ("," @body . (keywords))?)
    (do_block)? @body) @definition.macro
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")
  (#not-any-of? @name "unquote" "when"))

; Types and callbacks
(
  (unary_operator operand: (call
    target: (identifier) @_doc
    (arguments . [(string) @doc (sigil (quoted_content) @doc)])))
  .
  [(unary_operator operand: (call target: (identifier) @_between)) (comment)]*
  .
  (unary_operator operand: (call
    target: (identifier) @_def
    (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))) @definition.type
  (#any-of? @_def "type" "typep" "opaque")
  (#eq? @_doc "typedoc")
  (#any-of? @_between "doc" "spec" "impl" "deprecated" "dialyzer"))
(
  (unary_operator operand: (call
    target: (identifier) @_def
    (arguments . (binary_operator left: [(identifier) @name (call target: (identifier) @name)])))) @definition.type
  (#any-of? @_def "type" "typep" "opaque"))
(
  (unary_operator operand: (call
    target: (identifier) @_doc
    (arguments . [(string) @doc (sigil (quoted_content) @doc)])))
  .
  [(unary_operator operand: (call target: (identifier) @_between)) (comment)]*
  .
  (unary_operator operand: (call
    target: (identifier) @_def
    (arguments . (binary_operator left: [
      (call target: (identifier) @name)
      (binary_operator left: (call target: (identifier) @name) operator: "::")
    ])))) @definition.function
  (#any-of? @_def "callback" "macrocallback")
  (#eq? @_doc "doc")
  (#any-of? @_between "doc" "spec" "impl" "deprecated" "dialyzer"))
(
  (unary_operator operand: (call
    target: (identifier) @_def
    (arguments . (binary_operator left: [
      (call target: (identifier) @name)
      (binary_operator left: (call target: (identifier) @name) operator: "::")
    ])))) @definition.function
  (#any-of? @_def "callback" "macrocallback"))

; Other attributes of a module are its constants.
(unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))
  (#not-any-of? @name
    "doc" "moduledoc" "typedoc" "spec" "type" "typep" "opaque" "callback" "macrocallback" "optional_callbacks"
    "impl" "behaviour" "derive" "enforce_keys" "deprecated" "dialyzer" "compile" "before_compile" "after_compile"
    "on_definition" "on_load" "external_resource" "vsn" "tag" "moduletag" "describetag")) @definition.constant

; Tests
(call
  target: (identifier) @_test
  (arguments . (string . (quoted_content) @name))
  (do_block)? @body
  (#any-of? @_test "test" "describe" "property")) @definition.test

; Comments, and what may stand between a doc and its definition
(comment) @comment
((unary_operator operator: "@" operand: (call target: (identifier) @_attribute)) @attribute
  (#any-of? @_attribute
    "doc" "typedoc" "spec" "impl" "deprecated" "dialyzer" "derive" "enforce_keys" "tag"))

; Imports
(call
  target: (identifier) @_import
  (arguments . [(alias) (dot)] @import)
  (#any-of? @_import "alias" "import" "require" "use"))

; References. The head of a definition is a call too in this grammar, so that a local call is known by where
; it stands. A type of one's own inside another type of a @spec, `{:ok, row()}`, is taken for a call.
([
    (do_block (call target: (identifier) @reference.call))
    (else_block (call target: (identifier) @reference.call))
    (after_block (call target: (identifier) @reference.call))
    (rescue_block (call target: (identifier) @reference.call))
    (block (call target: (identifier) @reference.call))
    (body (call target: (identifier) @reference.call))
    (list (call target: (identifier) @reference.call))
    (tuple (call target: (identifier) @reference.call))
    (map_content (call target: (identifier) @reference.call))
    (interpolation (call target: (identifier) @reference.call))
    (pair value: (call target: (identifier) @reference.call))
    (dot left: (call target: (identifier) @reference.call))
    (unary_operator operator: ["!" "not" "-" "&"] operand: (call target: (identifier) @reference.call))
  ]
  (#not-any-of? @reference.call
    "def" "defp" "defn" "defnp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defmodule"
    "defprotocol" "defimpl" "defstruct" "defexception" "alias" "import" "require" "use"
    "if" "unless" "case" "cond" "for" "with" "try" "receive" "quote" "unquote" "unquote_splicing"
    "term" "any" "atom" "binary" "boolean" "integer" "keyword" "map" "no_return" "non_neg_integer" "pos_integer"))
(binary_operator left: (call target: (identifier) @reference.call) operator: _ @_operator
  (#not-any-of? @_operator "when" "::")
  (#not-any-of? @reference.call
    "if" "unless" "case" "cond" "for" "with" "try" "receive" "quote" "unquote" "unquote_splicing"
    "term" "any" "atom" "binary" "boolean" "integer" "keyword" "map" "no_return" "non_neg_integer" "pos_integer"))
(binary_operator operator: _ @_operator right: (call target: (identifier) @reference.call)
  (#not-eq? @_operator "::")
  (#not-any-of? @reference.call
    "if" "unless" "case" "cond" "for" "with" "try" "receive" "quote" "unquote" "unquote_splicing"
    "term" "any" "atom" "binary" "boolean" "integer" "keyword" "map" "no_return" "non_neg_integer" "pos_integer"))
(call target: (_) @_outer (arguments (call target: (identifier) @reference.call))
  (#not-any-of? @_outer
    "def" "defp" "defn" "defnp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate")
  (#not-any-of? @reference.call
    "if" "unless" "case" "cond" "for" "with" "try" "receive" "quote" "unquote" "unquote_splicing"
    "term" "any" "atom" "binary" "boolean" "integer" "keyword" "map" "no_return" "non_neg_integer" "pos_integer"))
(call target: (dot right: (identifier) @reference.call) (arguments)
  (#not-eq? @reference.call "t"))
(call target: (dot left: [(alias) (atom)] right: (identifier) @reference.call)
  (#not-eq? @reference.call "t"))
(binary_operator operator: "|>" right: (identifier) @reference.call)
(unary_operator operator: "&" operand: (binary_operator left: (identifier) @reference.call operator: "/"))

; A module used as a type, or named before one of its functions; its name is one token, dots and all.
(dot left: (alias) @reference.type right: (identifier))
(struct (alias) @reference.type)
(unary_operator operator: "@" operand: (call target: (identifier) @_attribute (arguments (alias) @reference.type))
  (#eq? @_attribute "behaviour"))
(call target: (identifier) @_def (arguments . (alias) @reference.type)
  (#any-of? @_def "defimpl" "raise" "reraise"))
(call target: (identifier) @_def (arguments (keywords (pair value: [(alias) @reference.type (list (alias) @reference.type)])))
  (#any-of? @_def "defimpl" "defdelegate"))
(stab_clause left: (arguments (binary_operator operator: "in" right: [(alias) @reference.type (list (alias) @reference.type)])))
