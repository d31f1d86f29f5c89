from datetime import date, timedelta

from invoicer import Customer, Invoice, Money, Status
from invoicer.reminders import Policy, due_dunnings, interest, next_weekday
from decimal import Decimal

ISSUED = date(2024, 3, 1)
DUE = ISSUED + timedelta(days=14)


def late(hold=None):
    customer = Customer(1, "Slow Ltd", "AT", hold_until=hold)
    return Invoice(customer, number="INV-2024-00001", status=Status.ISSUED, issued_on=ISSUED)


def dunning(days_late, sent=0, hold=None):
    return due_dunnings(
        [(late(hold), Money(100_00))], {"INV-2024-00001": sent}, DUE + timedelta(days=days_late), Policy()
    )


def test_levels_come_one_after_the_other():
    assert [len(dunning(n)) for n in (0, 9, 10)] == [0, 0, 1]
    assert dunning(24)[0].level == 2 and dunning(24)[0].surcharge == Money(500)
    assert dunning(38)[0].level == 3


def test_nothing_is_sent_twice():
    assert dunning(10, sent=1) == []


def test_a_customer_on_hold_is_left_alone():
    assert dunning(38, hold=date(2030, 1, 1)) == []


def test_interest_of_a_year():
    assert interest(Money(100_00), date(2023, 1, 1), date(2024, 1, 1), Decimal("9.2")) == Money(920)


def test_saturday_becomes_monday():
    assert next_weekday(date(2024, 6, 1)) == date(2024, 6, 3)
