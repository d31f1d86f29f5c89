from datetime import date
from decimal import Decimal

from invoicer import Customer, Invoice, Line, Money, Status
from invoicer.payments.matching import match_transfers
from invoicer.payments.statement import Transfer, read_statement


def unpaid(number, name, amount):
    invoice = Invoice(Customer(1, name, "AT"), [Line("x", Decimal(1), Money.parse(amount))])
    invoice.number, invoice.status = number, Status.ISSUED
    return invoice, Money.parse(amount)


def transfer(amount, payer="", reference=""):
    return Transfer(date(2024, 5, 2), Money.parse(amount), payer, reference)


def test_a_number_in_the_reference_wins_over_everything():
    documents = [unpaid("INV-2024-00007", "A", "10"), unpaid("INV-2024-00008", "B", "20")]
    matches, unclear = match_transfers([transfer("20", "A", "inv 2024 7 thanks")], documents)
    assert [m.invoices[0].number for m in matches] == ["INV-2024-00007"] and not unclear


def test_same_amount_twice_needs_a_name():
    documents = [unpaid("INV-2024-00001", "Huber GmbH", "50"), unpaid("INV-2024-00002", "Maier", "50")]
    matches, unclear = match_transfers([transfer("50", "HUBER")], documents)
    assert matches[0].reason == "amount and name"


def test_one_transfer_for_three_invoices():
    documents = [unpaid(f"INV-2024-0000{n}", "Maier KG", f"{n}0") for n in (1, 2, 3)]
    matches, _ = match_transfers([transfer("60", "Maier")], documents)
    assert len(matches[0].invoices) == 3


def test_outgoing_money_is_ignored():
    assert match_transfers([transfer("-5", "Bank", "fees")], []) == ([], [])


def test_tables_are_read():
    data = "Date;Amount;Payer;Reference\n02.05.2024;1.234,50;Huber;INV-2024-7\n".encode()
    assert read_statement(data)[0].amount == Money(123450)
