"""Bank statements, as the bank's download button gives them."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from datetime import date

from ..money import Money


class UnreadableStatement(ValueError):
    pass


@dataclass(frozen=True)
class Transfer:
    booked_on: date
    amount: Money
    payer: str
    reference: str


def read_statement(data: bytes) -> list[Transfer]:
    head = data.lstrip()[:200]
    if head.startswith(b"<"):
        return _from_xml(data)
    if b";" in head:
        return _from_csv(data.decode("utf-8-sig"))
    raise UnreadableStatement("neither XML nor a semicolon-separated table")


def _from_xml(data: bytes) -> list[Transfer]:
    try:
        root = ET.fromstring(data)
    except ET.ParseError as error:
        raise UnreadableStatement(f"broken XML: {error}") from error
    transfers = []
    for entry in root.iter():
        if not entry.tag.endswith("}Ntry"):
            continue
        sign = -1 if _text(entry, "CdtDbtInd") == "DBIT" else 1
        node = next(n for n in entry.iter() if n.tag.endswith("}Amt"))
        amount = Money.parse(node.text or "0", node.attrib.get("Ccy", "EUR"))
        transfers.append(
            Transfer(
                booked_on=date.fromisoformat(_text(entry, "Dt")[:10]),
                amount=Money(sign * amount.cents, amount.currency),
                payer=_text(entry, "Nm"),
                reference=_text(entry, "Ustrd"),
            )
        )
    return transfers


def _text(entry: ET.Element, name: str) -> str:
    for node in entry.iter():
        if node.tag.endswith("}" + name):
            return (node.text or "").strip()
    return ""


def _from_csv(text: str) -> list[Transfer]:
    rows = csv.DictReader(io.StringIO(text), delimiter=";")
    needed = {"date", "amount", "payer", "reference"}
    if not rows.fieldnames or not needed <= {name.lower() for name in rows.fieldnames}:
        raise UnreadableStatement(f"the table lacks one of the columns {sorted(needed)}")
    transfers = []
    for row in rows:
        row = {key.lower(): value or "" for key, value in row.items()}
        day, month, year = row["date"].split(".")
        transfers.append(
            Transfer(
                date(int(year), int(month), int(day)),
                Money.parse(row["amount"]),
                row["payer"].strip(),
                row["reference"].strip(),
            )
        )
    return transfers
