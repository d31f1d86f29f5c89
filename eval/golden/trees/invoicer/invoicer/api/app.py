from __future__ import annotations

from datetime import date
from decimal import Decimal

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from ..models import Customer, Frozen, Invoice, Line
from ..money import Money
from ..payments.matching import match_transfers
from ..payments.statement import UnreadableStatement, read_statement
from ..render import render_html
from ..storage import Books
from ..tax import assess
from .guard import Idempotency, RateLimit, require_token


def build_app(books: Books, tokens: set[str], seller_country: str) -> Starlette:
    limit = RateLimit(per_minute=120)
    replies = Idempotency(books.db, keep_hours=24)

    async def create(request: Request) -> JSONResponse:
        body = await request.json()
        try:
            invoice = Invoice(Customer(**body["customer"]), [_line(l) for l in body["lines"]])
        except KeyError as missing:
            return _problem(422, "is required", field=str(missing.args[0]))
        except ValueError as error:
            return _problem(422, str(error))
        return JSONResponse({"id": books.save_draft(invoice)}, status_code=201)

    async def issue(request: Request) -> JSONResponse:
        try:
            number = books.issue(request.path_params["id"], date.today())
        except KeyError as error:
            return _problem(404, str(error))
        except (Frozen, ValueError) as error:
            return _problem(409, str(error))
        return JSONResponse({"number": number})

    async def show(request: Request) -> HTMLResponse:
        invoice = books.load(request.path_params["id"])
        return HTMLResponse(render_html(invoice, assess(invoice, seller_country, date.today())))

    async def upload_statement(request: Request) -> JSONResponse:
        try:
            transfers = read_statement(await request.body())
        except UnreadableStatement as error:
            return _problem(415, str(error))
        matches, unclear = match_transfers(transfers, [])
        return JSONResponse({"matched": len(matches), "unclear": [t.reference for t in unclear]})

    app = Starlette(
        routes=[
            Route("/invoices", create, methods=["POST"]),
            Route("/invoices/{id:int}/issue", issue, methods=["POST"]),
            Route("/invoices/{id:int}.html", show),
            Route("/statements", upload_statement, methods=["POST"]),
        ]
    )
    app.middleware("http")(replies)
    app.middleware("http")(limit)
    app.middleware("http")(require_token(tokens))
    return app


def _line(body: dict) -> Line:
    return Line(body["text"], Decimal(str(body["quantity"])), Money.parse(str(body["price"])))


def _problem(status: int, message: str, field: str | None = None) -> JSONResponse:
    return JSONResponse({"error": message, "field": field}, status_code=status)
