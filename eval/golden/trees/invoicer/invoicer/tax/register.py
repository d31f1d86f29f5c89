import logging
from datetime import date, timedelta

import httpx

from ..models import Customer

log = logging.getLogger(__name__)

_ASK_AGAIN_AFTER = timedelta(days=30)


class RegisterDown(Exception):
    """The public register did not answer."""


class Register:
    """Asks whether a business identification number is alive."""

    def __init__(self, url: str, client: httpx.Client | None = None) -> None:
        self._url = url
        self._client = client or httpx.Client(timeout=8.0)

    def is_alive(self, vat_id: str) -> bool:
        country, number = vat_id[:2], vat_id[2:]
        try:
            answer = self._client.get(f"{self._url}/{country}/{number}")
            answer.raise_for_status()
        except httpx.HTTPError as error:
            raise RegisterDown(str(error)) from error
        return bool(answer.json()["valid"])

    def refresh(self, customer: Customer, today: date) -> None:
        """Confirm a customer's number unless that was done recently."""
        if not customer.vat_id:
            return
        last = customer.vat_confirmed_on
        if last and today - last < _ASK_AGAIN_AFTER:
            return
        try:
            alive = self.is_alive(customer.vat_id)
        except RegisterDown as error:
            log.warning("register unreachable, keeping the answer of %s: %s", last, error)
            return
        customer.vat_confirmed_on = today if alive else None
