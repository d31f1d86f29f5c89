import argparse
import secrets
import sys
import tomllib
from datetime import date
from pathlib import Path

from .numbering import find_gaps
from .storage import Books


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="invoicer")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("init", "audit", "serve"):
        command = commands.add_parser(name)
        command.add_argument("books", type=Path)
        if name == "serve":
            command.add_argument("--port", type=int, default=8400)
            command.add_argument("--settings", type=Path, default=Path("config/settings.toml"))
    issue = commands.add_parser("issue")
    issue.add_argument("books", type=Path)
    issue.add_argument("id", type=int)
    commands.add_parser("token").add_argument("name")
    args = parser.parse_args(argv)
    return globals()[f"_{args.command}"](args)


def _init(args) -> int:
    if args.books.exists():
        print(f"{args.books} exists already, not touching it", file=sys.stderr)
        return 1
    Books(args.books)
    return 0


def _audit(args) -> int:
    books = Books(args.books)
    numbers = [n for (n,) in books.db.execute("SELECT number FROM invoices WHERE number NOT NULL")]
    gaps = find_gaps(numbers)
    for number in gaps:
        print(f"missing: {number}")
    return 1 if gaps else 0


def _issue(args) -> int:
    print(Books(args.books).issue(args.id, date.today()))
    return 0


def _token(args) -> int:
    print(f"{args.name}:{secrets.token_urlsafe(32)}")
    return 0


def _serve(args) -> int:
    import uvicorn

    from .api.app import build_app

    settings = tomllib.loads(args.settings.read_text())
    country = settings["company"]["country"]
    uvicorn.run(build_app(Books(args.books), set(), country), port=args.port)
    return 0
