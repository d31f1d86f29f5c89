from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from .models import Invoice, Status
from .money import Money

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Policy:
    first_after_days: int = 10
    step_days: int = 14
    flat_charge: Money = Money(500)
    yearly_interest: Decimal = Decimal("9.2")


@dataclass(frozen=True)
class Dunning:
    invoice: Invoice
    level: int
    send_on: date
    owed: Money
    surcharge: Money


def level_on(invoice: Invoice, today: date, policy: Policy) -> int:
    """0 while there is nothing to say, then 1 to 3."""
    if invoice.status is not Status.ISSUED or invoice.due_on is None:
        return 0
    late = (today - invoice.due_on).days
    if late < policy.first_after_days:
        return 0
    return min(1 + (late - policy.first_after_days) // policy.step_days, 3)


def next_weekday(day: date) -> date:
    while day.weekday() >= 5:
        day += timedelta(days=1)
    return day


def interest(owed: Money, since: date, until: date, yearly: Decimal) -> Money:
    days = (until - since).days
    return Money.of(owed.decimal() * yearly / 100 * days / 365, owed.currency)


def due_dunnings(
    invoices: list[tuple[Invoice, Money]], sent: dict[str, int], today: date, policy: Policy
) -> list[Dunning]:
    """What should go out today, given the level each number has already received."""
    result = []
    for invoice, gross in invoices:
        hold = invoice.customer.hold_until
        if hold and today < hold:
            log.info("leaving %s alone until %s", invoice.customer.name, hold)
            continue
        level = level_on(invoice, today, policy)
        if level <= sent.get(invoice.number or "", 0):
            continue
        owed = invoice.open_amount(gross)
        surcharge = Money(0, owed.currency)
        if level >= 2:
            surcharge = surcharge + policy.flat_charge
        if level == 3:
            surcharge = surcharge + interest(owed, invoice.due_on, today, policy.yearly_interest)
        result.append(Dunning(invoice, level, next_weekday(today), owed, surcharge))
    return result
