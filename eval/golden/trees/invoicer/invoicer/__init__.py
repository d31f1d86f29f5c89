"""Invoices and what follows from them."""

from .models import Customer, Invoice, Line, Status
from .money import Money
from .numbering import Series, take_number
from .tax import Treatment, assess

__all__ = [
    "Customer", "Invoice", "Line", "Money", "Series", "Status", "Treatment", "assess",
    "take_number",
]
__version__ = "3.1.0"
