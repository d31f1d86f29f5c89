"""Files that thousands hold: their lists of holders are more than the engine's client takes in one answer."""

from fleet import check

FIELDS = ["file", "shelf", "holders", "path", "language", "kind", "role", "chunk", "first", "last", "meaning", "body", "names", "paths"]
SLOTS = 6
HOLDERS = 1000
BATCH = 64


def wide(fleet):
    """Rows with a thousand holders nobody knows, beside those of a fleet: it is searched, and a sync takes them away."""
    before = fleet.ids()
    question, arguments = "where is the memory kept", ("-k", "100", "--min-confidence", "0", "--fleet-timeout", "60")
    _, whole, _ = fleet.search(question, *arguments)
    with fleet.engine() as (client, collection):
        rows = client.query(f"{collection}_chunks", filter='id != ""', output_fields=FIELDS)
        many = [slot_of(row, slot) for slot in range(1, SLOTS + 1) for row in rows]
        for start in range(0, len(many), BATCH):
            client.upsert(f"{collection}_chunks", many[start : start + BATCH])
    # A number of these takes nine bytes.
    megabytes = len(many) * HOLDERS * 9 / 1e6
    _, page, err = fleet.search(question, *arguments)
    found = lambda it: {hit["path"] for hit in it["hits"]}
    both = len(found(page) & found(whole)) if page else 0
    check("lists of more than 4 MB are read", page and page["index"]["complete"] and both > len(found(whole)) / 2, f"{len(many)} rows, {megabytes:.0f} MB; {both} of {len(found(whole))} files {err.strip()[:90]}")
    fleet.must("fleet", "sync")
    check("rows that nobody wrote are gone after a sync", fleet.ids() == before, f"{len(before)} rows")


def slot_of(row, slot):
    strangers = [(1 << 62) + HOLDERS * slot + n for n in range(1, HOLDERS)]
    name = f"s{slot}"
    plain = {field: row[field] for field in FIELDS}
    return plain | {"id": f"{row['file']}.{row['chunk']}.{name}", "slot": name, "shelf": "*", "holders": [row["holders"][0], *strangers]}
