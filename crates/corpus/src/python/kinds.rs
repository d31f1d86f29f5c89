//! What the grammar calls the nodes and tokens of Python, and the numbers it gives them.

use std::sync::LazyLock;

use tree_sitter::Language as Grammar;

use crate::language::Language;

/// Lists words of the grammar beside our names for them.
macro_rules! words {
    ($(#[$doc:meta])* $type:ident: $($name:ident $word:literal),* $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $type { $($name),* }

        impl $type {
            const WORDS: &[&str] = &[$($word),*];
        }
    };
}

words! {
    /// Nodes with a name first, then words and marks, then tokens that leave no node.
    Kind:
    Module "module", Comment "comment", LineContinuation "line_continuation",
    Identifier "identifier", Integer "integer", Float "float", True "true", False "false",
    None "none", Ellipsis "ellipsis", String "string", ConcatenatedString "concatenated_string",
    StringStart "string_start", StringContent "string_content", StringEnd "string_end",
    EscapeSequence "escape_sequence", EscapeInterpolation "escape_interpolation",
    Interpolation "interpolation", TypeConversion "type_conversion",
    FormatSpecifier "format_specifier", FormatExpression "format_expression",
    Await "await", UnaryOperator "unary_operator", BinaryOperator "binary_operator",
    NotOperator "not_operator", BooleanOperator "boolean_operator",
    ComparisonOperator "comparison_operator", ConditionalExpression "conditional_expression",
    NamedExpression "named_expression", Lambda "lambda", LambdaParameters "lambda_parameters",
    AsPattern "as_pattern", AsPatternTarget "as_pattern_target", Yield "yield",
    Attribute "attribute", Call "call", Subscript "subscript", Slice "slice",
    ArgumentList "argument_list", KeywordArgument "keyword_argument", ListSplat "list_splat",
    DictionarySplat "dictionary_splat", Tuple "tuple", List "list", Set "set",
    Dictionary "dictionary", Pair "pair", ParenthesizedExpression "parenthesized_expression",
    GeneratorExpression "generator_expression", ListComprehension "list_comprehension",
    SetComprehension "set_comprehension", DictionaryComprehension "dictionary_comprehension",
    ForInClause "for_in_clause", IfClause "if_clause", ExpressionList "expression_list",
    PatternList "pattern_list", TuplePattern "tuple_pattern", ListPattern "list_pattern",
    ListSplatPattern "list_splat_pattern", DictionarySplatPattern "dictionary_splat_pattern",
    Parameters "parameters", DefaultParameter "default_parameter",
    TypedParameter "typed_parameter", TypedDefaultParameter "typed_default_parameter",
    KeywordSeparator "keyword_separator", PositionalSeparator "positional_separator",
    Type "type", GenericType "generic_type", TypeParameter "type_parameter",
    UnionType "union_type", ConstrainedType "constrained_type", SplatType "splat_type",
    ExpressionStatement "expression_statement", Assignment "assignment",
    AugmentedAssignment "augmented_assignment", ReturnStatement "return_statement",
    DeleteStatement "delete_statement", RaiseStatement "raise_statement",
    AssertStatement "assert_statement", PassStatement "pass_statement",
    BreakStatement "break_statement", ContinueStatement "continue_statement",
    GlobalStatement "global_statement", NonlocalStatement "nonlocal_statement",
    TypeAliasStatement "type_alias_statement", ImportStatement "import_statement",
    ImportFromStatement "import_from_statement", FutureImportStatement "future_import_statement",
    ImportPrefix "import_prefix", RelativeImport "relative_import", DottedName "dotted_name",
    AliasedImport "aliased_import", WildcardImport "wildcard_import", Block "block",
    IfStatement "if_statement", ElifClause "elif_clause", ElseClause "else_clause",
    ForStatement "for_statement", WhileStatement "while_statement",
    TryStatement "try_statement", ExceptClause "except_clause", FinallyClause "finally_clause",
    WithStatement "with_statement", WithClause "with_clause", WithItem "with_item",
    FunctionDefinition "function_definition", ClassDefinition "class_definition",
    DecoratedDefinition "decorated_definition", Decorator "decorator",
    MatchStatement "match_statement", CaseClause "case_clause", CasePattern "case_pattern",
    ClassPattern "class_pattern", KeywordPattern "keyword_pattern", SplatPattern "splat_pattern",
    DictPattern "dict_pattern", UnionPattern "union_pattern",

    And "and", As "as", Assert "assert", Async "async", AwaitWord "await", Break "break",
    Case "case", Class "class", Continue "continue", Def "def", Del "del", Elif "elif", Else "else",
    Except "except", Finally "finally", For "for", From "from", Future "__future__",
    Global "global", If "if", Import "import", In "in", Is "is", IsNot "is not",
    LambdaWord "lambda", Match "match", Nonlocal "nonlocal", Not "not", NotIn "not in", Or "or", Pass "pass",
    Raise "raise", Return "return", Try "try", TypeWord "type", Underscore "_", While "while", With "with",
    YieldWord "yield",
    LeftParen "(", RightParen ")", LeftBracket "[", RightBracket "]", LeftBrace "{",
    RightBrace "}", Comma ",", Colon ":", Semicolon ";", Dot ".", Arrow "->", At "@",
    ColonEqual ":=", Equal "=", EqualEqual "==", NotEqual "!=", Less "<", LessEqual "<=",
    Greater ">", GreaterEqual ">=", Plus "+", Minus "-", Star "*", StarStar "**", Slash "/",
    SlashSlash "//", Percent "%", Pipe "|", Ampersand "&", Caret "^", Tilde "~", Backslash "\\",
    LessLess "<<", GreaterGreater ">>", PlusEqual "+=", MinusEqual "-=", StarEqual "*=",
    SlashEqual "/=", AtEqual "@=", SlashSlashEqual "//=", PercentEqual "%=",
    StarStarEqual "**=", GreaterGreaterEqual ">>=", LessLessEqual "<<=", AmpersandEqual "&=",
    CaretEqual "^=", PipeEqual "|=",

    Newline "", Dedent "", End "",
}

words! {
    /// What a node is to the one around it.
    Field:
    Alias "alias", Alternative "alternative", Argument "argument", Arguments "arguments",
    Attribute "attribute", Body "body", Cause "cause", Condition "condition",
    Consequence "consequence", Definition "definition", Expression "expression",
    FormatSpecifier "format_specifier", Function "function", Guard "guard", Key "key", Left "left",
    ModuleName "module_name", Name "name", Object "object", Operator "operator",
    Operators "operators", Parameters "parameters", ReturnType "return_type", Right "right",
    Subject "subject", Subscript "subscript", Superclasses "superclasses", Type "type",
    TypeConversion "type_conversion", TypeParameters "type_parameters", Value "value",
}

impl Kind {
    /// Whether the grammar has a name for it, and does not only quote it.
    pub fn is_named(self) -> bool {
        (self as u8) < Kind::And as u8
    }

    /// The keyword that a word is.
    pub fn of_word(word: &[u8]) -> Option<Kind> {
        Some(match word {
            b"False" => Kind::False,
            b"None" => Kind::None,
            b"True" => Kind::True,
            b"and" => Kind::And,
            b"as" => Kind::As,
            b"assert" => Kind::Assert,
            b"async" => Kind::Async,
            b"await" => Kind::AwaitWord,
            b"break" => Kind::Break,
            b"class" => Kind::Class,
            b"continue" => Kind::Continue,
            b"def" => Kind::Def,
            b"del" => Kind::Del,
            b"elif" => Kind::Elif,
            b"else" => Kind::Else,
            b"except" => Kind::Except,
            b"finally" => Kind::Finally,
            b"for" => Kind::For,
            b"from" => Kind::From,
            b"global" => Kind::Global,
            b"if" => Kind::If,
            b"import" => Kind::Import,
            b"in" => Kind::In,
            b"is" => Kind::Is,
            b"lambda" => Kind::LambdaWord,
            b"nonlocal" => Kind::Nonlocal,
            b"not" => Kind::Not,
            b"or" => Kind::Or,
            b"pass" => Kind::Pass,
            b"raise" => Kind::Raise,
            b"return" => Kind::Return,
            b"try" => Kind::Try,
            b"while" => Kind::While,
            b"with" => Kind::With,
            b"yield" => Kind::YieldWord,
            _ => return None,
        })
    }
}

/// The grammar's numbers for kinds and fields.
pub struct Ids {
    pub grammar: Grammar,
    kinds: Vec<u16>,
    fields: Vec<u16>,
}

impl Ids {
    /// Looked up once. `None` if the grammar lacks a word: it is another than this reader knows.
    pub fn of_grammar() -> Option<&'static Ids> {
        static IDS: LazyLock<Option<Ids>> =
            LazyLock::new(|| Ids::new(Language::named("python")?.grammar()?));
        IDS.as_ref()
    }

    fn new(grammar: Grammar) -> Option<Ids> {
        let kinds = Kind::WORDS.iter().enumerate().map(|(number, word)| {
            let is_named = number < Kind::And as usize;
            let id = grammar.id_for_node_kind(word, is_named);
            (id != 0 || word.is_empty()).then_some(id)
        });
        let kinds = kinds.collect::<Option<Vec<u16>>>()?;
        let fields = Field::WORDS.iter().map(|word| Some(grammar.field_id_for_name(word)?.get()));
        let fields = fields.collect::<Option<Vec<u16>>>()?;
        Some(Ids { grammar, kinds, fields })
    }

    pub fn of(&self, kind: Kind) -> u16 {
        self.kinds[kind as usize]
    }

    pub fn of_field(&self, field: Field) -> u16 {
        self.fields[field as usize]
    }
}
