"""Rowscape shows where the rows of an HBase table land, before you create the table.

Records are Arrow data: anything with ``__arrow_c_stream__`` or ``__arrow_c_array__``, such as a pyarrow ``Table`` or ``RecordBatch``, a
polars or pandas ``DataFrame``, or a DuckDB relation. Columns are found by the names of the design's fields; others are ignored. A path such
as ``payload.user.id`` names a column within structs. Values are read as they are held (64-bit integers, unscaled decimals, timestamps with
their unit), without Python objects.

Every rejection raises :class:`RowscapeError`. All objects can be used from any thread, and other Python threads run while records are read
and counted.
"""

from __future__ import annotations

import datetime
import gzip
import io
import json
import os
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union

from . import _rowscape
from ._analysis import Analysis
from ._errors import RowscapeError
from ._rowscape import DesignHandle, Keys, PartHandle, SummaryHandle, __version__

__all__ = [
    "Analysis",
    "Design",
    "Keys",
    "RowscapeError",
    "Summary",
    "__version__",
    "compare",
    "emitters",
    "guess",
    "migrate",
    "observe",
    "suggest",
    "table",
]

Document = Union[str, Mapping[str, Any]]
"""A design document: JSON text, or the parsed object."""


def _text(document: Any, name: str) -> str:
    if isinstance(document, str):
        return document
    try:
        return json.dumps(document, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} must be JSON text or a value that JSON can represent: {error}") from None


def _source(data: Any) -> Any:
    """Arrow data as it is; a summary as its counts."""
    return data._settled() if isinstance(data, Summary) else data


def _key(key: bytes | bytearray | memoryview | str) -> bytes:
    """The bytes of a key; text is in the notation of the HBase shell."""
    if not isinstance(key, str):
        return bytes(key)
    out, at = bytearray(), 0
    while at < len(key):
        digits = key[at + 2 : at + 4]
        if key[at : at + 2] == "\\x" and len(digits) == 2 and all(char in "0123456789abcdefABCDEF" for char in digits):
            out.append(int(digits, 16))
            at += 4
        else:
            out += key[at].encode()
            at += 1
    return bytes(out)


class Design:
    """A table of a design document.

    Args:
        document: JSON text, or the parsed object.
        table: name or 0-based number of the table, if the document has several.

    Attributes:
        name: name of the table.
        rowkey: the row key formula in canonical form.
        fields: the fields of a record, as in the document.
        columns: names of the Arrow columns that are read; ``payload.user.id`` is a column within structs.
        splits_follow: True if split points follow from records; see :meth:`fix_splits`.

    Raises:
        RowscapeError: everything that is wrong is in ``problems``, each with its path.
    """

    name: str
    rowkey: str
    fields: list[dict[str, Any]]
    columns: list[str]
    splits_follow: bool

    def __init__(self, document: Document, table: str | int | None = None) -> None:
        self._handle = DesignHandle(_text(document, "document"), None if table is None else str(table))
        self._table = table
        about = json.loads(self._handle.about())
        self.name, self.rowkey, self.fields = about["name"], about["rowkey"], about["fields"]
        self.columns, self.splits_follow = about["columns"], about["splitsFollow"]

    @classmethod
    def read(cls, path: str | os.PathLike[str], table: str | int | None = None) -> Design:
        """Reads a design document from a file."""
        with open(path, encoding="utf-8-sig") as file:
            return cls(file.read(), table)

    @property
    def document(self) -> dict[str, Any]:
        """The document in normal form."""
        return json.loads(self._handle.document())

    def __repr__(self) -> str:
        return f"<Design {self.name}: {self.rowkey}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (Design, (self._handle.document(), self._table))

    def encode(self, data: Any) -> Keys:
        """The row keys of records.

        Args:
            data: Arrow data, n rows.

        Returns:
            n keys: an Arrow array of binary values (``pyarrow.array(keys)``), null for a record without a key. ``keys.refused`` counts
            those, and ``problems_of(keys)`` tells why the first of them have none.

        Raises:
            RowscapeError: a column is missing, or has a type that its field cannot be read from.
        """
        return self._handle.encode(data)

    @staticmethod
    def problems_of(keys: Keys) -> list[dict[str, Any]]:
        """Why the first 20 records without a key have none: dicts with ``code``, ``place`` and ``message``."""
        return json.loads(keys.problems_json())

    def decode(self, key: bytes | str) -> dict[str, Any]:
        """The fields that a key contains.

        Args:
            key: bytes, or text in the notation of the HBase shell (``\\xNN``).

        Returns:
            ``record``: value by field, None where the key does not tell; ``parts``, ``fields``, ``readings``, ``more`` and ``problems``.

        Raises:
            RowscapeError: the formula cannot produce this key.
        """
        decoded = json.loads(self._handle.decode(_key(key)))
        decoded["record"] = {field["name"]: field["value"] for field in decoded["fields"]}
        return decoded

    def plan(
        self,
        query: Mapping[str, Any],
        data: Any | None = None,
        *,
        after: str | None = None,
        cost: Mapping[str, float] | None = None,
    ) -> dict[str, Any]:
        """The fewest scan ranges that contain every row a query matches.

        Args:
            query: as in ``queries`` of a design document: ``{"where": {"phone": "105"}, "limit": 10}``.
            data: Arrow data; with it the plan counts the rows that it reads and returns, and estimates its cost.
            after: the last row returned before, in ``\\xNN`` notation, to plan the next page.
            cost: constants of the cost model.

        Returns:
            ``kind``, ``exact``, ``ranges`` (``start``, ``stop``), ``delivery``, ``regions``, ``leastRpcs``, ``reasons``; with data also
            ``rows`` (``read``, ``returned``), ``limited`` and ``cost``.

        Raises:
            RowscapeError: an unknown field, an invalid value or a reversed range.
        """
        asked = {"name": "query", **query}
        constants = None if cost is None else _text(dict(cost), "cost")
        return json.loads(self._handle.plan(_text(asked, "query"), data, after, constants))

    @property
    def split_points(self) -> list[bytes]:
        """The split points, ascending: one fewer than regions.

        Raises:
            RowscapeError: they follow from records; see :meth:`fix_splits`.
        """
        return self._handle.split_points()

    def region_of(self, key: bytes | str) -> int:
        """The 0-based number of the region that holds a key."""
        return self._handle.region_of(_key(key))

    def fix_splits(self, data: Any) -> Design:
        """The design with split points fixed that follow from records, as they follow from these: parts then agree.

        Args:
            data: Arrow data: all records, or a sample.
        """
        return Design(self._handle.fix_splits(data), self._table)

    def analyze(self, data: Any, *, time_buckets: int | None = None) -> Analysis:
        """Where records land: rows by region and time, the verdict and the findings.

        Args:
            data: Arrow data, all of which is held in memory. For more records than that, see :class:`Summary`.
            time_buckets: number of time buckets; a step of the calendar by default.
        """
        return Analysis(**json.loads(self._handle.analyze(data, time_buckets)))

    def findings(self) -> list[dict[str, Any]]:
        """The findings about the design alone, worst first."""
        return json.loads(self._handle.findings())

    def size(self, data: Any | Summary | None = None, *, rows: int | None = None) -> dict[str, Any]:
        """The bytes of the table, and how many regions it should have: the same as ``rowscape size --json`` prints.

        Args:
            data: Arrow data or a :class:`Summary`, from which lengths of keys and the pace of growth follow. Without it, those that the
                design generates, or the widths of its formula.
            rows: number of rows whose bytes are counted; by default the rows of the data, else those after the growth of the design,
                else 1,000,000.

        Returns:
            ``storage``: bytes of the rows by family, exact and as estimates of the files; ``families``: those that share their regions
            with larger ones; ``versions``: the versions left of the data, None of a sample; ``sizing``: ``bytes``, ``suggested`` regions,
            ``bearable``, ``rules`` and ``rows``, None where no growth is known.

        Raises:
            RowscapeError: ``storage.too-many-rows`` for more bytes than 64 bits count.
        """
        return json.loads(_rowscape.size(self._handle, _source(data), rows))

    def grow(self, data: Any | Summary | None = None) -> dict[str, Any]:
        """Months of the table's life, day by day: the same as ``rowscape grow --json`` prints.

        Args:
            data: as for :meth:`size`; needed if the design has no ``growth``, or if its split points follow from records.

        Returns:
            ``days``: for each day ``regions``, ``splits``, ``empty`` and bytes ``largest``, ``live`` and ``stale``; and what is assumed.

        Raises:
            RowscapeError: ``growth.unknown`` if neither the design nor the data show how the table grows.
        """
        return json.loads(_rowscape.grow(self._handle, _source(data)))

    def emit(
        self,
        name: str,
        data: Any | Summary | None = None,
        *,
        origin: Design | None = None,
        hbase: str | None = None,
        kind: str | None = None,
    ) -> dict[str, str]:
        """Exports the design, such as the commands that create the table, or code that computes its row keys.

        Args:
            name: one of :func:`emitters`.
            data: Arrow data or a :class:`Summary`, if the split points follow from records.
            origin: the design that the table has so far, for ``alter-shell`` and others that lead from it to this design.
            hbase: version of HBase that uses the export, such as "2.5"; 2.6 by default.
            kind: name of the kind of records whose row key is meant, if the table has several.

        Returns:
            ``text``, as ``rowscape emit`` prints it; ``file``: a name for its file; ``language``.

        Raises:
            RowscapeError: the export cannot express the design, for example a step without code in that language.
        """
        handle = None if origin is None else origin._handle
        return json.loads(_rowscape.emit(self._handle, name, _source(data), handle, hbase, kind))


class Summary:
    """Counts of records under all tables of a design document: bounded in size, and added up exactly.

    Args:
        design: the design. Its split points must not follow from records; see :meth:`Design.fix_splits`.
        part: tells these records from others that are equal, such as the number of a partition.
        samples: False leaves out sampled rows, keys and values.

    A summary holds at most a few MB: exact counts, 4,096 sampled rows and keys, and up to 1,024 values of each field that the design
    names (docs/summary-format.md).

    One summary takes records from one thread at a time. To count on several threads, give each a summary of its own and merge them.
    """

    def __init__(self, design: Design, *, part: str = "", samples: bool = True) -> None:
        self._lock = threading.RLock()
        self._design, self._part, self._samples = design, part, samples
        self._counting: PartHandle | None = PartHandle(design._handle, part, part, samples)
        self._whole: SummaryHandle | None = None
        self._begun = 1

    @classmethod
    def _of(cls, handle: SummaryHandle) -> Summary:
        summary = cls.__new__(cls)
        summary._lock = threading.RLock()
        summary._design, summary._part, summary._samples = Design(handle.document()), "", True
        summary._counting, summary._whole, summary._begun = None, handle, 0
        return summary

    @classmethod
    def from_bytes(cls, data: bytes) -> Summary:
        """Reads the bytes of a summary file.

        Raises:
            RowscapeError: ``summary.not-one``, ``summary.cut-short``, ``summary.damaged`` or ``summary.other-version``.
        """
        return cls._of(SummaryHandle.from_bytes(bytes(data)))

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Summary:
        """Opens a summary file that this package, ``rowscape summarize`` or npm wrote."""
        with open(path, "rb") as file:
            return cls.from_bytes(file.read())

    def _settled(self) -> SummaryHandle:
        """The counts so far: records added from now on are another part."""
        with self._lock:
            if self._counting is not None and (self._counting.rows or self._whole is None):
                part = self._counting.finish()
                self._counting = None
                if self._whole is None:
                    self._whole = part
                else:
                    self._whole.merge(part)
            assert self._whole is not None
            return self._whole

    def add(self, data: Any) -> Summary:
        """Counts records.

        Args:
            data: Arrow data; a stream is read batch by batch, so that it may be larger than memory.

        Raises:
            RowscapeError: a column is missing, or has a type that its field cannot be read from.
        """
        with self._lock:
            if self._counting is None:
                self._begun += 1
                name = f"{self._part}/{self._begun}" if self._begun > 1 else self._part
                self._counting = PartHandle(self._design._handle, name, name, self._samples)
            self._counting.add(data)
        return self

    def merge(self, other: Summary) -> Summary:
        """Adds the counts of other records under the same design. Parts without samples leave none in the whole.

        Raises:
            RowscapeError: ``summary.other-design`` for another design or other split points, with the ``path`` of the first difference;
                ``summary.part-twice`` for a part that is in the summary already. Nothing is changed then.
        """
        # One lock at a time: two threads may merge two summaries into each other.
        added = other._settled()
        with self._lock:
            self._settled().merge(added)
        return self

    def to_bytes(self) -> bytes:
        """The bytes of the file."""
        return self._settled().to_bytes()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, complete or not at all."""
        target = os.fspath(path)
        beside = f"{target}.{os.getpid()}.part"
        try:
            with open(beside, "wb") as file:
                file.write(self.to_bytes())
            os.replace(beside, target)
        finally:
            if os.path.exists(beside):
                os.remove(beside)

    def without_samples(self) -> Summary:
        """The same counts without sampled rows, keys and values."""
        return Summary._of(self._settled().without_samples())

    @property
    def document(self) -> dict[str, Any]:
        """The design document in normal form."""
        return json.loads(self._settled().document())

    @property
    def rows(self) -> int:
        """Number of records."""
        return self._about()["rows"]

    @property
    def sampled(self) -> int | None:
        """Number of sampled rows; None if samples were left out."""
        return self._about()["sampled"]

    @property
    def parts(self) -> list[dict[str, Any]]:
        """The parts: dicts with ``id``, ``rows`` and ``name``."""
        return self._about()["parts"]

    def _about(self) -> dict[str, Any]:
        return json.loads(self._settled().about())

    def analyze(self, table: str | int | None = None) -> Analysis:
        """Where all records land under a table, exactly; the findings are about the sampled rows.

        Args:
            table: name or 0-based number of the table; the first by default.
        """
        return Analysis(**json.loads(self._settled().analyze(None if table is None else str(table))))

    def __repr__(self) -> str:
        about = self._about()
        return f"<Summary of {about['rows']:,} rows in {len(about['parts']):,} parts>"

    def _repr_html_(self) -> str:
        return self.analyze()._repr_html_()

    def __reduce__(self) -> tuple[Any, ...]:
        return (Summary.from_bytes, (self.to_bytes(),))


def emitters() -> list[dict[str, str]]:
    """The exports for :meth:`Design.emit`: dicts with ``name`` and ``language``."""
    return json.loads(_rowscape.emitters())


_KEYS = 1 << 25


def guess(
    source: bytes | bytearray | os.PathLike[str] | str,
    *,
    keys: bool = False,
    header: bool | None = None,
    data: bytes | bytearray | os.PathLike[str] | str | None = None,
) -> dict[str, Any]:
    """A first design for a file of records, of row keys (one per line) or of the output of ``scan`` in the HBase shell.

    The row key of records is a proposal to start from; that of row keys is the formula that gives them. Only the first 256 KiB of the text
    are looked at, of row keys 32 MiB.

    Args:
        source: the path of a file of text, gzip or not; or its bytes.
        keys: whether every line is a row key; otherwise detected.
        header: whether the first record of CSV or TSV holds names; otherwise detected.
        data: the records whose row keys ``source`` has, in any order, as a file of text (CSV, JSON Lines) or its bytes: the formula that
            makes the keys of the records is searched. Its first 32 MiB are read.

    Returns:
        A design document, for :class:`Design`.

    Raises:
        RowscapeError: nothing can be read from the file.
        OSError: the file cannot be opened.
    """
    name = "" if isinstance(source, (bytes, bytearray)) else os.fspath(source)
    records = None if data is None else _first_bytes(data)
    return json.loads(_rowscape.guess(_first_bytes(source), name, keys, header, records))


def _first_bytes(source: bytes | bytearray | os.PathLike[str] | str) -> bytes:
    if isinstance(source, (bytes, bytearray)):
        file: io.BufferedReader | io.BytesIO = io.BytesIO(source)
    else:
        file = open(source, "rb")
    with file:
        packed = file.peek(2)[:2] == b"\x1f\x8b" if isinstance(file, io.BufferedReader) else bytes(source[:2]) == b"\x1f\x8b"
        text = gzip.GzipFile(fileobj=file) if packed else file
        return text.read(_KEYS)


def _millis(time: datetime.datetime | int | None) -> int | None:
    """A time in milliseconds since 1970; one without a zone is in UTC."""
    if not isinstance(time, datetime.datetime):
        return time
    if time.tzinfo is None:
        time = time.replace(tzinfo=datetime.timezone.utc)
    return round(time.timestamp() * 1000)


def observe(
    *paths: os.PathLike[str] | str,
    all: bool = False,
    table: str | None = None,
    since: datetime.datetime | int | None = None,
    until: datetime.datetime | int | None = None,
    metric: Literal["reads", "writes", "requests", "size"] | None = None,
    regions: int | None = None,
    memory: int = 512 << 20,
) -> dict[str, Any]:
    """Shows which keys of a table were written, when and how much, and which regions took its requests: the same as
    ``rowscape observe --json`` prints.

    Args:
        paths: HFiles, write-ahead logs, dumps of a cluster (JSON of ``/status/cluster``, ``/jmx``, ``live_servers``; metrics for Prometheus;
            output of the shell or of ``hbtop``), or folders of them, which are read with all below them.
        all: whether every cell of HFiles is read, not only their index.
        table: the only table that counts, with its namespace unless that is the default one.
        since: nothing before this time counts; a number is milliseconds since 1970.
        until: nothing from this time on counts.
        metric: the figure of dumps that shares and pictures are of; by default reads or writes, whichever one region takes more of.
        regions: so many regions are to share the cells evenly; ``splits`` has their split points.
        memory: bytes of memory to take at most, about.

    Returns:
        ``tables``, the one with most cells first, each with its ``headline``, ``regions``, ``heat`` (cells by key and time), ``hotRows`` and
        ``notes``, and ``requests`` where there are dumps of it; ``files``, at most 1,000 of them, those with problems first; ``kinds``, files by kind. Keys are in ``\\xNN`` notation.

    Raises:
        RowscapeError: no file of HBase was found, or none could be read.
        OSError: a path cannot be opened.
    """
    named: list[str] = []
    for path in map(os.fspath, paths):
        if os.path.isdir(path):
            for folder, folders, names in os.walk(path):
                folders.sort()
                named.extend(os.path.join(folder, name) for name in sorted(names))
        else:
            named.append(path)
    found = [(path, (status := os.stat(path)).st_size, status.st_mtime_ns // 1_000_000) for path in named]
    return json.loads(_rowscape.observe(found, all, table, (_millis(since), _millis(until)), (metric, regions), memory))


def compare(designs: Sequence[Design], data: Any | Summary | None = None, *, splits: str = "equal") -> dict[str, Any]:
    """Designs on the same records, side by side: the same as ``rowscape compare --json`` prints.

    Args:
        designs: at least two; the first is the baseline, and its fields are those of the records.
        data: Arrow data, all of which is held in memory; or a :class:`Summary` of the first design, whose sampled rows are compared.
        splits: "equal" splits every key into equal shares of the records, with as many regions as its design; "designed" uses the split
            points of each design.

    Returns:
        ``designs``, each with its findings, what is better and worse than in the first, and the rows that move; ``lines``: the measures,
        a value for each design; ``queries``: the same for each query of the first design.

    Raises:
        RowscapeError: fewer than two designs, no records, or records that lack a field.
    """
    if splits not in ("equal", "designed"):
        raise ValueError(f'splits must be "equal" or "designed", not {splits!r}')
    return json.loads(_rowscape.compare([design._handle for design in designs], _source(data), splits == "equal"))


def migrate(origin: Design, target: Design, data: Any | Summary | None = None) -> dict[str, Any]:
    """The way from one design of a table to another: the same as ``rowscape migrate --json`` prints.

    Args:
        origin: the design to leave; its fields are those of the records.
        target: the design to reach.
        data: Arrow data, or a :class:`Summary` of the first design: counts the rows that move.

    Returns:
        ``way``: nothing, alter, reshape, in-place or new-table; ``steps``, ``clients`` and ``checks``: dicts with a ``message``;
        ``families``, ``reshape`` and ``commands`` of HBase's shell; ``queries``; ``moves``, None without data.
    """
    return json.loads(_rowscape.migrate(origin._handle, target._handle, _source(data)))


def table(text: str, design: Design | None = None, *, plain: str | None = None) -> dict[str, Any]:
    """Reads a table that is in use from output of HBase's shell: the same as ``rowscape table --json`` prints.

    Args:
        text: output of ``list_regions``, ``get_splits``, ``describe``, ``scan 'hbase:meta'`` or a scan of the table, ``create`` commands,
            a file of split points, or row keys, one per line.
        design: a design of the table, for the splits and merges that lead to its regions.
        plain: how to read lines that are no shell output: "splits" or "keys"; by their order if omitted.

    Returns:
        ``forms``: what was found in the text; ``tables``: each with ``name``, ``regions``, ``families``, ``keys``, ``judgement`` of its
        load, ``points``, which are the ``points`` in ``splits`` of a design, and with a design ``reshape``; ``problems``.

    Raises:
        RowscapeError: the text has no table.
    """
    return json.loads(_rowscape.table(text, None if design is None else design._handle, plain))


def suggest(study: Document, data: Any, **options: Any) -> dict[str, Any]:
    """Row keys for records and queries, each measured.

    Args:
        study: a design document that may lack its row key.
        data: Arrow data with all fields of the study.
        options: as in docs/suggest.md, such as ``prefer="writes"``.

    Returns:
        ``suggestions``: each with its ``design``, measures and reasons; and what the search found out about fields and queries.
    """
    return json.loads(_rowscape.suggest(_text(study, "study"), data, _text(options, "options")))
