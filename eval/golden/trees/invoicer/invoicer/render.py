import jinja2

from .models import Invoice
from .tax import Assessment, Treatment

_NOTES = {
    Treatment.SHIFTED: "Tax liability is transferred to the recipient of the service.",
    Treatment.EXPORT: "Export outside of the union, exempt from tax.",
}

_TEMPLATE = """<!doctype html>
<title>{{ title }}</title>
<h1>{{ title }}</h1>
{% if watermark %}<p class="watermark">{{ watermark }}</p>{% endif %}
<address>{{ invoice.customer.name }}<br>{{ invoice.customer.vat_id or "" }}</address>
<table>
{% for line in invoice.lines %}
<tr><td>{{ line.text }}<td>{{ line.quantity }}<td>{{ line.unit_price }}<td>{{ line.net() }}
{% endfor %}
<tr><th colspan=3>Net<td>{{ assessment.net }}
<tr><th colspan=3>Tax {{ assessment.rate }} %<td>{{ assessment.tax }}
<tr><th colspan=3>Total<td>{{ assessment.gross }}
</table>
{% if note %}<p>{{ note }}</p>{% endif %}
{% if invoice.due_on %}<p>Payable until {{ invoice.due_on.isoformat() }}.</p>{% endif %}
"""

_environment = jinja2.Environment(autoescape=True, trim_blocks=True)


def render_html(invoice: Invoice, assessment: Assessment) -> str:
    title = f"{'Credit note' if invoice.corrects else 'Invoice'} {invoice.number or invoice.label}"
    return _environment.from_string(_TEMPLATE).render(
        title=title,
        invoice=invoice,
        assessment=assessment,
        watermark=None if invoice.number else "not valid as an invoice",
        note=_NOTES.get(assessment.treatment),
    )


_WIDTH = 64


def render_text(invoice: Invoice, assessment: Assessment) -> str:
    """For mail programs that show no HTML."""
    out = [f"{invoice.number or invoice.label}".rjust(_WIDTH), invoice.customer.name, ""]
    for line in invoice.lines:
        out.append(_row(f"{line.quantity} x {line.text}", str(line.net())))
    out.append("-" * _WIDTH)
    out.append(_row("Net", str(assessment.net)))
    out.append(_row(f"Tax {assessment.rate} %", str(assessment.tax)))
    out.append(_row("Total", str(assessment.gross)))
    return "\n".join(out) + "\n"


def _row(left: str, right: str) -> str:
    room = _WIDTH - len(right) - 1
    if len(left) > room:
        left = left[: room - 1] + "…"
    return left.ljust(room + 1) + right
