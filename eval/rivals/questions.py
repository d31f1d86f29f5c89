"""What every tool is asked: a question in words, and the text that a scan would look for instead."""

QUESTIONS = [
    ("where are failed requests retried", "retry"),
    ("parse_header", "parse_header"),
    ("how is the configuration file loaded and validated", "configure"),
    ("close connection pool", "close_all"),
    ("raise ValueError if the argument is not a string", "ValueError"),
]
