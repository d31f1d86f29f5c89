from __future__ import annotations

import enum
import uuid
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal

from .money import Money


class Status(enum.Enum):
    DRAFT = "draft"
    ISSUED = "issued"
    PAID = "paid"
    VOID = "void"


class Frozen(Exception):
    """The document has left the house and cannot be changed."""


@dataclass
class Customer:
    id: int
    name: str
    country: str
    vat_id: str | None = None
    vat_confirmed_on: date | None = None
    email: str | None = None
    hold_until: date | None = None


@dataclass
class Line:
    text: str
    quantity: Decimal
    unit_price: Money
    discount: Decimal = Decimal(0)

    def net(self) -> Money:
        gross = Money.of(self.unit_price.decimal() * self.quantity, self.unit_price.currency)
        return gross - gross.share(self.discount)


@dataclass
class Invoice:
    customer: Customer
    lines: list[Line] = field(default_factory=list)
    number: str | None = None
    status: Status = Status.DRAFT
    issued_on: date | None = None
    due_days: int = 14
    paid: Money = Money(0)
    label: str = field(default_factory=lambda: f"DRAFT-{uuid.uuid4().hex[:4]}")
    corrects: str | None = None

    def add(self, line: Line) -> None:
        if self.status is not Status.DRAFT:
            raise Frozen(f"invoice {self.number} is {self.status.value}; write a credit note")
        self.lines.append(line)

    def net(self) -> Money:
        total = Money(0, self.lines[0].unit_price.currency if self.lines else "EUR")
        for line in self.lines:
            total = total + line.net()
        return total

    @property
    def due_on(self) -> date | None:
        return self.issued_on + timedelta(days=self.due_days) if self.issued_on else None

    def open_amount(self, gross: Money) -> Money:
        return gross - self.paid

    def credit_note(self) -> "Invoice":
        """The mirror image of this document, to be issued like any other."""
        mirrored = [
            Line(line.text, -line.quantity, line.unit_price, line.discount) for line in self.lines
        ]
        return Invoice(self.customer, mirrored, corrects=self.number)
