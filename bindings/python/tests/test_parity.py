"""A design on the same records has the figures of the command line. tests/cli/parity.rs compares the ways of that."""

import json
import random

import pyarrow as pa
import pytest

import rowscape
from conftest import ROOT, as_csv

ROWS = 600
START = 1_709_251_200_000
# Texts that the designs know, by field.
TEXTS = {
    "event": ["login", "order", "error"],
    "type": ["customer", "order"],
    "hostname": [f"host{host:03}" for host in range(40)],
    "user": [f"u{user:03}" for user in range(300)],
    "name": [f"name{name:03}" for name in range(43)],
    "order": [f"o-{order:08}" for order in range(400)],
}
CASES = [
    ("i3-host-event-time", {"operation": {"field": "event", "read": ["login", "order"]}}),
    ("i5-log-types", {"writes": "counter", "writesPerSecond": 500_000, "servers": 3}),
    ("j2-customers-and-orders-in-one-table", {}),
    ("k2-pages-of-values", {}),
]


def records_of(fields):
    """Columns by field, in which some values are missing."""
    chance = random.Random(7)

    def value(field, row):
        if row % 53 == 7 + fields.index(field):
            # Text without a value is empty in CSV.
            return "" if field["type"] == "text" else None
        if field["type"] == "time":
            return START + row * 7_000 + chance.randrange(5_000)
        return chance.choice(TEXTS[field["name"]]) if field["type"] == "text" else chance.randrange(1, 3)

    return {field["name"]: [value(field, row) for row in range(ROWS)] for field in fields}


def table_of(fields, columns):
    kind = lambda field: pa.string() if field["type"] == "text" else pa.int64()
    return pa.table({field["name"]: pa.array(columns[field["name"]], kind(field)) for field in fields})


def differences(path, expected, found):
    """The paths at which two answers differ, with both."""
    if isinstance(expected, dict) and isinstance(found, dict):
        names = sorted({*expected, *found})
        return [wrong for name in names for wrong in differences(f"{path}.{name}", expected.get(name), found.get(name))]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        return [wrong for at, both in enumerate(zip(expected, found)) for wrong in differences(f"{path}[{at}]", *both)]
    return [] if expected == found else [f"{path}: {found}, on the command line {expected}"]


@pytest.mark.parametrize(("slug", "members"), CASES, ids=[slug for slug, _ in CASES])
def test_figures_are_those_of_the_command_line(slug, members, program, tmp_path):
    document = {**json.loads((ROOT / "data" / "gallery" / f"{slug}.json").read_text()), **members}
    columns = records_of(document["fields"])
    table = table_of(document["fields"], columns)
    design = rowscape.Design(document).fix_splits(table)
    (tmp_path / "design.json").write_text(json.dumps(design.document))
    (tmp_path / "records.csv").write_text(as_csv(zip(*columns.values()), columns))
    told = json.loads(program("analyze", "--json", str(tmp_path / "design.json"), str(tmp_path / "records.csv")))
    expected = {name: told[name] for name in ("verdict", "findings", "report")}
    # The command line alone prints moments as columns.
    del expected["report"]["moments"]
    answer = design.analyze(table)
    found = {"verdict": answer.verdict, "findings": answer.findings, "report": answer.report}
    # Text has an empty value where a column of Arrow has none.
    found["report"]["refused"]["first"] = expected["report"]["refused"]["first"]
    wrong = differences("", expected, found)
    assert not wrong, f"Python, {slug}: " + "\n".join(wrong)
