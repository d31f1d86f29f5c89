from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal, InvalidOperation

_DIGITS = {"JPY": 0, "HUF": 0}


class CurrencyMismatch(ValueError):
    """Raised when two amounts of different currencies meet."""

    def __init__(self, left: str, right: str) -> None:
        super().__init__(f"cannot combine {left} with {right}")


@dataclass(frozen=True, order=False)
class Money:
    cents: int
    currency: str = "EUR"

    @classmethod
    def parse(cls, text: str, currency: str = "EUR") -> "Money":
        """Read what people type: 1234.5, 1.234,50 or 1,234.50."""
        cleaned = text.strip().replace(" ", "").replace("'", "")
        if "," in cleaned and "." in cleaned:
            decimal_mark = max(cleaned.rfind(","), cleaned.rfind("."))
            digits = cleaned.replace(",", "").replace(".", "")
            behind = len(cleaned) - decimal_mark - 1
            cleaned = f"{digits[:-behind]}.{digits[-behind:]}"
        else:
            cleaned = cleaned.replace(",", ".")
        try:
            amount = Decimal(cleaned)
        except InvalidOperation:
            raise ValueError(f"not an amount of money: {text!r}") from None
        return cls.of(amount, currency)

    @classmethod
    def of(cls, amount: Decimal, currency: str = "EUR") -> "Money":
        exponent = Decimal(1).scaleb(-_DIGITS.get(currency, 2))
        rounded = amount.quantize(exponent, rounding=ROUND_HALF_EVEN)
        return cls(int(rounded / exponent), currency)

    def _same(self, other: "Money") -> None:
        if self.currency != other.currency:
            raise CurrencyMismatch(self.currency, other.currency)

    def __add__(self, other: "Money") -> "Money":
        self._same(other)
        return Money(self.cents + other.cents, self.currency)

    def __sub__(self, other: "Money") -> "Money":
        return self + (-other)

    def __neg__(self) -> "Money":
        return Money(-self.cents, self.currency)

    def __lt__(self, other: "Money") -> bool:
        self._same(other)
        return self.cents < other.cents

    def share(self, percent: Decimal) -> "Money":
        return Money.of(self.decimal() * percent / 100, self.currency)

    def split(self, parts: int) -> list["Money"]:
        """Divide without losing a cent; the first parts get the remainder."""
        base, remainder = divmod(self.cents, parts)
        return [Money(base + (1 if i < remainder else 0), self.currency) for i in range(parts)]

    def decimal(self) -> Decimal:
        return Decimal(self.cents).scaleb(-_DIGITS.get(self.currency, 2))

    def __str__(self) -> str:
        return f"{self.decimal()} {self.currency}"
