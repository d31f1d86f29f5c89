import enum
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from ..models import Customer, Invoice
from ..money import Money
from .rates import MEMBER_STATES, standard_rate

_CONFIRMATION_COUNTS_FOR = timedelta(days=90)


class Treatment(enum.Enum):
    DOMESTIC = "domestic"
    SHIFTED = "shifted"
    DESTINATION = "destination"
    EXPORT = "export"


@dataclass(frozen=True)
class Assessment:
    treatment: Treatment
    rate: Decimal
    net: Money
    tax: Money

    @property
    def gross(self) -> Money:
        return self.net + self.tax


def treatment_of(seller_country: str, customer: Customer, on: date) -> Treatment:
    if customer.country == seller_country:
        return Treatment.DOMESTIC
    if customer.country not in MEMBER_STATES:
        return Treatment.EXPORT
    return Treatment.SHIFTED if _is_business(customer, on) else Treatment.DESTINATION


def _is_business(customer: Customer, on: date) -> bool:
    if not customer.vat_id or customer.vat_confirmed_on is None:
        return False
    return on - customer.vat_confirmed_on <= _CONFIRMATION_COUNTS_FOR


def assess(invoice: Invoice, seller_country: str, on: date) -> Assessment:
    """Tax on the sum, rounded once."""
    treatment = treatment_of(seller_country, invoice.customer, on)
    if treatment is Treatment.DOMESTIC:
        rate = standard_rate(seller_country, on)
    elif treatment is Treatment.DESTINATION:
        rate = standard_rate(invoice.customer.country, on)
    else:
        rate = Decimal(0)
    net = invoice.net()
    return Assessment(treatment, rate, net, net.share(rate))
