# Version 1. Rounds every line. Do not use for anything new.


def calc_tax(lines, country, rate=20.0):
    """lines: list of (text, quantity, unit_price) with float prices"""
    total = 0.0
    tax = 0.0
    for text, quantity, unit_price in lines:
        net = round(quantity * unit_price, 2)
        if country in ("AT", "DE"):
            line_tax = round(net * rate / 100.0, 2)
        else:
            line_tax = 0.0
        total += net
        tax += line_tax
    return total, tax, round(total + tax, 2)


def reverse_charge(customer):
    # tax liability shifted to the recipient
    return customer.get("uid") is not None and customer["country"] != "AT"


def format_invoice_number(year, n):
    return "R%d/%d" % (year, n)


def reminder_fee(level):
    return {1: 0.0, 2: 5.0, 3: 15.0}[level]
