"""Plots as SVG: bars for tools side by side, lines for growth. Both axes count in powers of ten."""

import html
import math

WIDTH, BAR, LABEL = 640, 22, 130
FRAME = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" font-family="sans-serif" font-size="12">'
STYLE = (
    "<style>text{fill:#24292f}.o{fill:#8b949e}.w{fill:#8250df}.l{stroke:#8250df;fill:none;stroke-width:2}"
    ".g{stroke:#d0d7de}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.g{stroke:#444c56}}</style>"
)


def bars(title, unit, rows):
    """One bar a tool, shortest first; ours in another colour. `rows` are names and values."""
    rows = sorted(((name, value) for name, value in rows if value), key=lambda row: row[1])
    low = 10 ** math.floor(math.log10(rows[0][1] / 1.5))
    high = rows[-1][1]
    height = 40 + BAR * len(rows)
    parts = [FRAME.format(w=WIDTH, h=height), STYLE, f'<text x="4" y="18" font-weight="bold">{html.escape(title)}</text>']
    room = WIDTH - LABEL - 90
    for n, (name, value) in enumerate(rows):
        y = 30 + BAR * n
        length = max(2, room * math.log(value / low) / math.log(high / low))
        kind = "w" if name.startswith("wherein") else "o"
        parts.append(f'<text x="{LABEL - 6}" y="{y + 14}" text-anchor="end">{html.escape(name)}</text>')
        parts.append(f'<rect class="{kind}" x="{LABEL}" y="{y + 3}" width="{length:.0f}" height="{BAR - 6}"/>')
        parts.append(f'<text x="{LABEL + length + 6:.0f}" y="{y + 14}">{short(value)} {unit}</text>')
    return "\n".join([*parts, "</svg>\n"])


def curve(title, unit, points):
    """One line through points, each with its value beside it; both axes logarithmic."""
    left, top, wide, high = 60, 34, WIDTH - 130, 170
    xs, ys = ([math.log10(it[n]) for it in points] for n in (0, 1))
    spread = max(max(ys) - min(ys), 0.3)
    place = lambda x, y: (
        left + wide * (x - min(xs)) / max(max(xs) - min(xs), 0.1),
        top + high * (1 - (y - min(ys)) / spread),
    )
    spots = [place(x, y) for x, y in zip(xs, ys)]
    parts = [FRAME.format(w=WIDTH, h=top + high + 40), STYLE, f'<text x="4" y="18" font-weight="bold">{html.escape(title)}</text>']
    parts.append(f'<line class="g" x1="{left}" y1="{top + high + 8}" x2="{left + wide}" y2="{top + high + 8}"/>')
    parts.append('<polyline class="l" points="' + " ".join(f"{x:.0f},{y:.0f}" for x, y in spots) + '"/>')
    for (x, y), (chunks, value) in zip(spots, points):
        parts.append(f'<circle class="w" cx="{x:.0f}" cy="{y:.0f}" r="4"/>')
        parts.append(f'<text x="{x + 8:.0f}" y="{y - 6:.0f}">{short(value)} {unit}</text>')
        parts.append(f'<text x="{x:.0f}" y="{top + high + 26}" text-anchor="middle">{chunks:,}</text>')
    return "\n".join([*parts, "</svg>\n"])


def short(value):
    """Two digits that matter, or all before the point."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"
