#!/usr/bin/env python3
"""Loans of a small library."""
from __future__ import annotations

import os, json.decoder as decoder
from collections import namedtuple
from . import shelf
from ..people.reader import (Reader, Card as Pass)

if os.name == "nt":
    SEPARATOR = ";"
else:
    SEPARATOR = ":"

try:
    import ujson
except (ImportError, decoder.JSONDecodeError) as missing:
    ujson = None

# Days a book may be kept.
MAX_DAYS: int = 28
"""Counted from the day of the loan."""
first, LAST = 1, 99
_cache: dict[str, Loan | shelf.Box | None] = {}
shout = lambda text, *, mark="!": text.upper() + mark
Key = t.NewType("Key", str)
Point = namedtuple("Point", ["x", "y"])
Handler: TypeAlias = "Callable[[Loan], None]"
type Pair[T] = tuple[T, "Reader"]


class State(str, enum.Enum):
    """Where a book is."""
    HOME = "home"
    OUT = "out"
    """With a reader."""


# Kept short on purpose.
@dataclass(
    frozen=True,
    order=(1, 2),
)
@registered
class Loan[B: Book](Base[B], shelf.Item, metaclass=Meta):  # not a doc
    r'''One book

    at one reader.'''

    book: B
    days: Annotated[int, "not negative"] = 0
    low, high = 0, 10
    by_age = lambda self: -self.days

    class Missing(KeyError): pass

    def __init__(self, book: B, *notes: str, by: Reader | None = None, **rest: Any) -> None:
        # Comments may come first.
        "Starts a loan."
        limit = MAX_DAYS
        self.limit: int = limit

    @property
    @cache.lru(maxsize=None)
    def due(self) -> datetime.date:
        def shifted(day, by=1): return day + by
        if not isinstance(self.book, (Book, shelf.Box)):
            raise NotImplementedError
        return shifted(super().start())

    @due.setter
    async def due(self, value: "date") -> Iterator[list[Pass]]:
        match value:
            case shelf.Late(days=0) | Never(): raise self.Missing(f"{value!r}")
        async with lock() as held: yield [(yield x) async for x in held]


def weigh[T: (int, float)](items: Mapping[str, list[T]], /, scale: float = 1.0) -> T: ...
