"""Reverse charge, domestic tax, export: the table of docs/tax.md, row by row."""

from datetime import date
from decimal import Decimal

import pytest

from invoicer import Customer, Invoice, Line, Money, Treatment, assess
from invoicer.tax.rates import UnknownRate, standard_rate

TODAY = date(2024, 10, 1)


def invoice_for(country, vat_id=None, confirmed=None):
    customer = Customer(1, "Someone", country, vat_id, confirmed)
    return Invoice(customer, [Line("Advice", Decimal(3), Money.parse("33.33"))])


def test_domestic_sale():
    assessment = assess(invoice_for("AT"), "AT", TODAY)
    assert assessment.treatment is Treatment.DOMESTIC
    assert str(assessment.tax) == "20.00 EUR"


def test_reverse_charge_needs_a_confirmed_number():
    # reverse charge: number confirmed yesterday
    confirmed = assess(invoice_for("DE", "DE1", date(2024, 9, 30)), "AT", TODAY)
    assert confirmed.treatment is Treatment.SHIFTED and confirmed.tax == Money(0)
    # no reverse charge: number never confirmed
    assert assess(invoice_for("DE", "DE1"), "AT", TODAY).treatment is Treatment.DESTINATION


def test_reverse_charge_ends_when_the_confirmation_is_stale():
    # reverse charge is lost ninety days after the last confirmation
    assert assess(invoice_for("DE", "DE1", date(2024, 6, 1)), "AT", TODAY).rate == Decimal(19)


def test_export_is_free():
    assert assess(invoice_for("CH"), "AT", TODAY).treatment is Treatment.EXPORT


@pytest.mark.parametrize(
    "country, day, rate",
    [("DE", date(2020, 8, 1), "16"), ("FI", date(2024, 8, 31), "24"), ("FI", TODAY, "25.5")],
)
def test_rates_follow_the_calendar(country, day, rate):
    assert standard_rate(country, day) == Decimal(rate)


def test_an_unknown_rate_is_an_error():
    with pytest.raises(UnknownRate, match="no tax rate known for MT"):
        standard_rate("MT", TODAY)
