"""Document numbers without holes."""

import sqlite3
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Series:
    prefix: str
    year: int

    def format(self, counter: int) -> str:
        return f"{self.prefix}-{self.year}-{counter:05d}"


def series_for(day: date, credit: bool, prefix: str = "INV") -> Series:
    return Series("CN" if credit else prefix, day.year)


def take_number(db: sqlite3.Connection, series: Series) -> str:
    """Must run inside the transaction that stores the document."""
    if not db.in_transaction:
        raise RuntimeError("take_number outside of a transaction would leave a gap")
    db.execute(
        "INSERT INTO series (prefix, year, counter) VALUES (?, ?, 0) ON CONFLICT DO NOTHING",
        (series.prefix, series.year),
    )
    row = db.execute(
        "UPDATE series SET counter = counter + 1 WHERE prefix = ? AND year = ? RETURNING counter",
        (series.prefix, series.year),
    ).fetchone()
    return series.format(row[0])


def find_gaps(numbers: list[str]) -> list[str]:
    """Numbers that ought to exist between the first and the last given one of each series."""
    seen: dict[Series, set[int]] = {}
    for number in numbers:
        prefix, year, counter = number.rsplit("-", 2)
        seen.setdefault(Series(prefix, int(year)), set()).add(int(counter))
    missing = []
    for series, counters in seen.items():
        for counter in range(min(counters), max(counters)):
            if counter not in counters:
                missing.append(series.format(counter))
    return missing
