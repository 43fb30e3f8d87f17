"""What several tests need."""

import csv
import io
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

DOCUMENT = {
    "rowscape": 1,
    "name": "calls",
    "fields": [
        {"name": "phone", "type": "text"},
        {"name": "at", "type": "time", "format": "epoch-millis"},
        {"name": "n", "type": "integer"},
    ],
    "arrival": "at",
    "tables": [
        {"name": "phones", "rowkey": "phone.reverse() + '_' + at.format('yyyyMMdd')", "splits": {"points": ["3", "6"]}},
        {"name": "times", "rowkey": "at.millis().decimal(13) + phone + n.decimal(4)", "splits": {"points": ["17000001"]}},
    ],
    "queries": [{"name": "a phone", "where": {"phone": "105"}}],
}


@pytest.fixture
def document():
    return DOCUMENT


def records(rows, seed=1):
    """Rows as (phone, milliseconds, n); some without a phone, some with a number that is too large for the second key."""
    chance = random.Random(seed)
    out = []
    for row in range(rows):
        phone = None if row % 97 == 0 else str(chance.randrange(100, 100_000))
        n = 123_456 if row % 89 == 0 else chance.randrange(10_000)
        out.append((phone, 1_700_000_000_000 + chance.randrange(28 * 86_400_000), n))
    return out


def as_csv(rows, names=("phone", "at", "n")):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow(["" if value is None else value for value in row])
    return text.getvalue()


@pytest.fixture(scope="session")
def program():
    """The command line of this clone, built natively or for Node."""
    given = os.environ.get("ROWSCAPE_PROGRAM")
    native = given and [given]
    node = shutil.which("node")
    script = ROOT / "dist" / "npm" / "cli" / "bin.js"
    command = native or ([node, str(script)] if node and script.exists() else None)
    if not command:
        pytest.skip("no command line is built: npm run build")

    def run(*args, folder=None):
        done = subprocess.run([*command, *args], capture_output=True, text=True, cwd=folder)
        # Records without a key are an exit status of their own.
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    return run
