"""Standard rates by country, newest first. Kept by hand; see the calendar reminder in January."""

from datetime import date
from decimal import Decimal

MEMBER_STATES = frozenset(
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split()
)

_RATES: dict[str, list[tuple[date, str]]] = {
    "AT": [(date(1984, 1, 1), "20")],
    "DE": [(date(2021, 1, 1), "19"), (date(2020, 7, 1), "16"), (date(2007, 1, 1), "19")],
    "EE": [(date(2024, 1, 1), "22"), (date(2009, 7, 1), "20")],
    "FI": [(date(2024, 9, 1), "25.5"), (date(2013, 1, 1), "24")],
    "FR": [(date(2014, 1, 1), "20")],
    "IT": [(date(2013, 10, 1), "22")],
    "LU": [(date(2024, 1, 1), "17"), (date(2023, 1, 1), "16"), (date(2015, 1, 1), "17")],
    "NL": [(date(2012, 10, 1), "21")],
    "PL": [(date(2011, 1, 1), "23")],
    "SE": [(date(1990, 7, 1), "25")],
}


class UnknownRate(LookupError):
    pass


def standard_rate(country: str, on: date) -> Decimal:
    for since, rate in _RATES.get(country, []):
        if since <= on:
            return Decimal(rate)
    raise UnknownRate(f"no tax rate known for {country} on {on.isoformat()}")
