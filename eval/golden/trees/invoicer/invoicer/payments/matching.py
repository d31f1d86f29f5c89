from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations

from ..models import Invoice, Status
from ..money import Money
from .statement import Transfer

_NUMBER = re.compile(r"\b([A-Z]{2,4})[\s-]?(\d{4})[\s-]?(\d{1,5})\b", re.IGNORECASE)
_MOST_COMBINED = 4


@dataclass(frozen=True)
class Match:
    transfer: Transfer
    invoices: tuple[Invoice, ...]
    reason: str


def match_transfers(
    transfers: list[Transfer], unpaid: list[tuple[Invoice, Money]]
) -> tuple[list[Match], list[Transfer]]:
    """Pair money with documents; what cannot be paired for certain is left to a person."""
    matches: list[Match] = []
    unclear: list[Transfer] = []
    left = list(unpaid)
    for transfer in transfers:
        if transfer.amount.cents <= 0:
            continue
        found = _by_reference(transfer, left) or _by_amount(transfer, left) or _by_sum(transfer, left)
        if found is None:
            unclear.append(transfer)
            continue
        matches.append(found)
        left = [(i, o) for i, o in left if i not in found.invoices]
        _book(found)
    return matches, unclear


def _by_reference(transfer: Transfer, unpaid: list[tuple[Invoice, Money]]) -> Match | None:
    mentioned = {
        f"{prefix.upper()}-{year}-{int(counter):05d}"
        for prefix, year, counter in _NUMBER.findall(transfer.reference)
    }
    invoices = tuple(invoice for invoice, _ in unpaid if invoice.number in mentioned)
    return Match(transfer, invoices, "reference") if invoices else None


def _by_amount(transfer: Transfer, unpaid: list[tuple[Invoice, Money]]) -> Match | None:
    same = [invoice for invoice, owed in unpaid if owed == transfer.amount]
    named = [invoice for invoice in same if _alike(invoice.customer.name, transfer.payer)]
    return Match(transfer, (named[0],), "amount and name") if len(named) == 1 else None


def _by_sum(transfer: Transfer, unpaid: list[tuple[Invoice, Money]]) -> Match | None:
    """One transfer for several invoices of the same customer."""
    own = [(i, o) for i, o in unpaid if _alike(i.customer.name, transfer.payer)]
    for size in range(2, min(len(own), _MOST_COMBINED) + 1):
        for group in combinations(own, size):
            if sum(owed.cents for _, owed in group) == transfer.amount.cents:
                return Match(transfer, tuple(invoice for invoice, _ in group), "sum")
    return None


def _alike(left: str, right: str) -> bool:
    def plain(name: str) -> str:
        return re.sub(r"\b(gmbh|ag|kg|ltd|inc|sarl|og)\b|[^a-z0-9 ]", "", name.lower()).strip()

    return SequenceMatcher(None, plain(left), plain(right)).ratio() > 0.85


def _book(match: Match) -> None:
    rest = match.transfer.amount
    for invoice in match.invoices:
        invoice.paid = invoice.paid + rest
        rest = Money(0, rest.currency)
        invoice.status = Status.PAID
