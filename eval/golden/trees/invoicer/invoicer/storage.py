from __future__ import annotations

import json
import sqlite3
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Iterator

from .models import Customer, Invoice, Line, Status
from .money import Money
from .numbering import series_for, take_number

SCHEMA = """
CREATE TABLE IF NOT EXISTS customers (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, vat_id TEXT,
    vat_confirmed_on TEXT, email TEXT, hold_until TEXT
);
CREATE TABLE IF NOT EXISTS invoices (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id),
    number TEXT UNIQUE, status TEXT NOT NULL, issued_on TEXT, due_days INTEGER NOT NULL,
    paid_cents INTEGER NOT NULL DEFAULT 0, currency TEXT NOT NULL, lines TEXT NOT NULL,
    corrects TEXT
);
CREATE TABLE IF NOT EXISTS series (
    prefix TEXT NOT NULL, year INTEGER NOT NULL, counter INTEGER NOT NULL,
    PRIMARY KEY (prefix, year)
);
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
    stored_at REAL NOT NULL
);
"""


class Books:
    """All documents of one company in one file."""

    def __init__(self, path: Path | str) -> None:
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.executescript(SCHEMA)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield self.db
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def save_draft(self, invoice: Invoice) -> int:
        cursor = self.db.execute(
            "INSERT INTO invoices (customer_id, status, due_days, currency, lines, corrects)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                invoice.customer.id,
                invoice.status.value,
                invoice.due_days,
                invoice.net().currency,
                _dump_lines(invoice.lines),
                invoice.corrects,
            ),
        )
        return int(cursor.lastrowid)

    def issue(self, invoice_id: int, today: date) -> str:
        """Freeze a draft. Number and document are stored together or not at all."""
        with self.transaction() as db:
            row = db.execute(
                "SELECT status, corrects FROM invoices WHERE id = ?", (invoice_id,)
            ).fetchone()
            if row is None:
                raise KeyError(f"no invoice with id {invoice_id}")
            if row[0] != Status.DRAFT.value:
                raise ValueError(f"invoice {invoice_id} was issued before")
            number = take_number(db, series_for(today, credit=row[1] is not None))
            db.execute(
                "UPDATE invoices SET number = ?, status = ?, issued_on = ? WHERE id = ?",
                (number, Status.ISSUED.value, today.isoformat(), invoice_id),
            )
        return number

    def load(self, invoice_id: int) -> Invoice:
        row = self.db.execute(
            "SELECT c.id, c.name, c.country, c.vat_id, c.vat_confirmed_on, c.email, c.hold_until,"
            " i.number, i.status, i.issued_on, i.due_days, i.paid_cents, i.currency, i.lines,"
            " i.corrects FROM invoices i JOIN customers c ON c.id = i.customer_id WHERE i.id = ?",
            (invoice_id,),
        ).fetchone()
        if row is None:
            raise KeyError(f"no invoice with id {invoice_id}")
        customer = Customer(*row[:4], _day(row[4]), row[5], _day(row[6]))
        return Invoice(
            customer=customer,
            lines=_load_lines(row[13], row[12]),
            number=row[7],
            status=Status(row[8]),
            issued_on=_day(row[9]),
            due_days=row[10],
            paid=Money(row[11], row[12]),
            corrects=row[14],
        )


def _day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text else None


def _dump_lines(lines: list[Line]) -> str:
    return json.dumps(
        [[l.text, str(l.quantity), l.unit_price.cents, str(l.discount)] for l in lines]
    )


def _load_lines(text: str, currency: str) -> list[Line]:
    return [
        Line(name, Decimal(quantity), Money(cents, currency), Decimal(discount))
        for name, quantity, cents, discount in json.loads(text)
    ]
