"""Writes records in every type, encoding and compression: python3 write.py FOLDER [--few].

Each file lies beside a CSV of the same records, whose texts are written here from the values themselves, and a design that
puts all its columns into the key. index.json lists them. --few: few records and files, small enough to be kept in golden/.
"""

import datetime as dt
import decimal
import json
import struct
import sys
import uuid
from pathlib import Path

import duckdb
import fastavro
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
import zstandard

OUT = Path(sys.argv[1])
OUT.mkdir(parents=True, exist_ok=True)
FEW = "--few" in sys.argv
ROWS = 40 if FEW else 2500
INDEX = []
GOLDEN = {"snappy-v1.parquet", "groups.parquet", "delta.parquet", "int96.parquet", "nested.parquet", "nested.arrow", "nested.avro", "lz4.arrow", "zstd.arrows", "snappy.avro", "all.csv.zst"}
decimal.getcontext().prec = 80


def text(value):
    """A value as a CSV holds it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02X}" for b in value)
    if isinstance(value, float):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(repr(value), repr(value))
    if isinstance(value, decimal.Decimal):
        return f"{value:f}"
    return str(value)


def quoted(value):
    return '"' + value.replace('"', '""') + '"'


def time_text(count, per_second, digits, zone=""):
    """A count of units since 1970 as a date and a time of day."""
    seconds, rest = divmod(count, per_second)
    moment = dt.datetime(1970, 1, 1) + dt.timedelta(seconds=seconds)
    fraction = f".{rest:0{digits}}" if digits else ""
    return f"{moment:%Y-%m-%d %H:%M:%S}".rjust(19, "0") + fraction + zone


def single(value):
    """The shortest digits of a number of 32 bits."""
    for digits in range(1, 10):
        found = float(f"{value:.{digits}g}")
        if struct.pack("f", found) == struct.pack("f", value):
            return found
    return value


class Column:
    """name, Arrow type, values for Arrow, texts, and the type and format of a field."""

    def __init__(self, name, arrow, values, kind, fmt=None, texts=None):
        self.name, self.arrow, self.kind, self.format = name, arrow, kind, fmt
        self.values = values
        self.texts = texts or [text(v) for v in values]


def every(seven, *values):
    """Values over and over, each seventh row without one where `seven` is true."""
    return [None if seven and row % 7 == 3 else values[row % len(values)] for row in range(ROWS)]


def mapped(values, to):
    return ["" if v is None else to(v) for v in values]


def columns():
    made = []

    def add(name, arrow, values, kind, fmt=None, to=None):
        made.append(Column(name, arrow, values, kind, fmt, mapped(values, to) if to else None))

    strings = ["", "plain", 'a "quoted", one', "two\nlines", "üñí", "\ufeffmark", " blank ", "x" * (20 if FEW else 300)]
    add("text", pa.string(), every(True, *strings, *[f"user{n}" for n in range(9 if FEW else 900)]), "text")
    add("steady", pa.string(), every(False, "one", "two", "three"), "text")
    for bits in (8, 16, 32, 64):
        low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        add(f"int{bits}", getattr(pa, f"int{bits}")(), every(True, low, high, 0, -1, 42), "integer")
        top = 2**bits - 1
        kind = "decimal" if bits == 64 else "integer"
        add(f"uint{bits}", getattr(pa, f"uint{bits}")(), every(True, top, 0, 7), kind)
    add("count", pa.int64(), [9_007_199_254_740_993 + row * row for row in range(ROWS)], "integer")
    doubles = [0.1, -0.0, 1e300, 5e-324, float("inf"), float("-inf"), float("nan"), 123456.789, 1.0]
    add("double", pa.float64(), every(True, *doubles), "float")
    singles = [0.1, -1.5, 3.4028235e38, 16777216.0, float("inf"), 1e-45]
    singles = [struct.unpack("f", struct.pack("f", value))[0] for value in singles]
    add("float", pa.float32(), every(True, *singles), "float", to=lambda value: text(single(value)))
    add("bool", pa.bool_(), every(True, True, False, False), "boolean")
    big = decimal.Decimal("-9999999999999999999999999999.9999999999")
    for name, kind, values in [
        ("dec9", pa.decimal128(9, 2), ["-0.05", "1234567.89", "0.00"]),
        ("dec18", pa.decimal128(18, 6), ["-999999999999.999999", "0.000001"]),
        ("dec38", pa.decimal128(38, 10), [big, -big, "1.0000000000"]),
    ]:
        add(name, kind, every(True, *[decimal.Decimal(v) for v in values]), "decimal")
    days = [0, -719162, 19844, -1, 2932896]
    add("date", pa.date32(), every(True, *days), "time", "yyyy-MM-dd", lambda d: str(dt.date(1970, 1, 1) + dt.timedelta(d)))
    for unit, per, digits in (("s", 1, 0), ("ms", 10**3, 3), ("us", 10**6, 6), ("ns", 10**9, 9)):
        times = [0, 1, -1, 1_700_000_000 * per + per // 3, -5 * 10**8 * per - 1]
        for zone in ("", "UTC"):
            arrow = pa.timestamp(unit, zone or None)
            suffix = "Z" if zone else ""
            made_of = lambda v, per=per, digits=digits, suffix=suffix: time_text(v, per, digits, suffix)
            add(f"at_{unit}{zone}", arrow, every(True, *times), "time", "iso8601", made_of)
    for unit, per, digits, arrow in (
        ("ms", 10**3, 3, pa.time32("ms")),
        ("us", 10**6, 6, pa.time64("us")),
        ("ns", 10**9, 9, pa.time64("ns")),
    ):
        times = [0, 86400 * per - 1, 3661 * per + 5]
        add(f"day_{unit}", arrow, every(True, *times), "text", None, lambda v, per=per, d=digits: time_text(v, per, d)[11:])
    add("binary", pa.binary(), every(True, b"\x00\xff", b"back\\slash", b"a,b\"c\n", b""), "bytes", "escaped")
    add("fixed", pa.binary(5), every(True, b"\x00\x01\x02\x03\x04", b"hello"), "bytes", "escaped")
    ids = [uuid.UUID(int=n * 0x1234567890ABCDEF1234567 % 2**128) for n in range(50)]
    made.append(Column("id", "uuid", every(True, *[i.bytes for i in ids]), "bytes", "uuid", every(True, *map(str, ids))))
    made[-1].texts = [t or "" for t in made[-1].texts]
    return made


def storage(arrow):
    if pa.types.is_date32(arrow) or pa.types.is_time32(arrow):
        return pa.int32()
    return pa.int64() if pa.types.is_temporal(arrow) else arrow


def table(made):
    arrays = []
    for column in made:
        if column.arrow == "uuid":
            arrays.append(pa.array(column.values, pa.binary(16)).cast(pa.uuid()) if hasattr(pa, "uuid") else None)
            continue
        array = pa.array(column.values, storage(column.arrow))
        arrays.append(array.view(column.arrow) if array.type != column.arrow else array)
    return pa.table(arrays, names=[column.name for column in made])


def write_csv(name, made):
    lines = [",".join(quoted(column.name) for column in made)]
    for row in range(len(made[0].texts)):
        lines.append(",".join(quoted(column.texts[row]) for column in made))
    (OUT / name).write_bytes("\n".join(lines).encode() + b"\n")


STEPS = {"integer": ".int64()", "decimal": ".bigDecimal()", "float": ".float64()", "boolean": ".boolean()", "time": ".millis().int64()"}


def is_wanted(name):
    return not FEW or name in GOLDEN


def note(name, csv, made):
    """Lists a file with a design whose key holds all its columns."""
    if not is_wanted(name):
        (OUT / name).unlink()
        return
    fields = []
    for column in made:
        field = {"name": column.name, "type": column.kind}
        if column.format:
            field["format"] = column.format
        fields.append(field)
    parts = [f"`{column.name}`" + STEPS.get(column.kind, "") for column in made]
    design = {"rowscape": 1, "fields": fields, "rowkey": " + '|' + ".join(parts)}
    Path(OUT / f"{csv}.json").write_text(json.dumps(design))
    INDEX.append({"file": name, "csv": csv, "design": f"{csv}.json", "rows": len(made[0].texts)})


def parquet():
    made = columns()
    write_csv("all.csv", made)
    whole = table(made)

    def write(name, **options):
        pq.write_table(whole, OUT / name, **{"row_group_size": 1000, "store_schema": False, **options})
        note(name, "all.csv", made)

    for codec in ("NONE", "SNAPPY", "GZIP", "ZSTD", "LZ4", "BROTLI"):
        for version in ("1.0", "2.0"):
            write(f"{codec.lower()}-v{version[0]}.parquet", compression=codec, data_page_version=version)
    write("plain.parquet", use_dictionary=False, data_page_size=4096, write_page_checksum=True)
    encodings = {}
    for column in made:
        kind = column.arrow
        if kind == "uuid" or pa.types.is_decimal(kind) or pa.types.is_fixed_size_binary(kind):
            encodings[column.name] = "BYTE_STREAM_SPLIT"
        elif pa.types.is_string(kind) or pa.types.is_binary(kind):
            encodings[column.name] = "DELTA_BYTE_ARRAY"
        elif pa.types.is_boolean(kind):
            encodings[column.name] = "RLE"
        elif pa.types.is_floating(kind):
            encodings[column.name] = "BYTE_STREAM_SPLIT"
        else:
            encodings[column.name] = "DELTA_BINARY_PACKED"
    write("delta.parquet", use_dictionary=False, column_encoding=encodings, data_page_version="2.0", compression="ZSTD")
    for name, encoding in encodings.items():
        if encoding == "DELTA_BYTE_ARRAY":
            encodings[name] = "DELTA_LENGTH_BYTE_ARRAY"
        elif encoding == "DELTA_BINARY_PACKED":
            encodings[name] = "BYTE_STREAM_SPLIT"
    write("lengths.parquet", use_dictionary=False, column_encoding=encodings, data_page_size=2048)
    groups()
    int96()
    from_duckdb()


def groups():
    """Row groups of which the last is smaller."""
    picked = [column for column in columns() if column.name in ("text", "int64", "count", "double", "dec38", "at_us")]
    write_csv("groups.csv", picked)
    pq.write_table(table(picked), OUT / "groups.parquet", compression="ZSTD", row_group_size=ROWS // 6, store_schema=False)
    note("groups.parquet", "groups.csv", picked)


def int96():
    picked = [column for column in columns() if column.name in ("text", "at_ns")]
    write_csv("int96.csv", picked)
    pq.write_table(table(picked), OUT / "int96.parquet", use_deprecated_int96_timestamps=True, store_schema=False)
    note("int96.parquet", "int96.csv", picked)


def from_duckdb():
    names = ("text", "int8", "uint8", "int64", "uint64", "double", "bool", "dec38", "date", "at_us", "at_usUTC", "binary")
    picked = [column for column in columns() if column.name in names]
    write_csv("duckdb.csv", picked)
    found = table(picked)  # noqa: F841: DuckDB finds it by its name
    for codec in ("snappy", "zstd", "lz4_raw", "brotli"):
        for version in ("V1", "V2"):
            name = f"duckdb-{codec}-{version}.parquet"
            duckdb.sql(f"COPY found TO '{OUT / name}' (FORMAT parquet, COMPRESSION {codec}, PARQUET_VERSION {version}, ROW_GROUP_SIZE 2048)")
            note(name, "duckdb.csv", picked)


def nested():
    """Records within records, and lists and maps, which are left out."""
    struct_type = pa.struct([("b", pa.int64()), ("c", pa.struct([("d", pa.string())])), ("list", pa.list_(pa.int32()))])
    rows = [
        None if row % 5 == 0 else {"b": None if row % 3 == 0 else row, "c": None if row % 4 == 0 else {"d": f"d{row}"}, "list": [1]}
        for row in range(ROWS)
    ]
    made = [
        Column("a.b", None, [], "integer", None, [text(dig(row, ("b",))) for row in rows]),
        Column("a.c.d", None, [], "text", None, [text(dig(row, ("c", "d"))) for row in rows]),
        Column("key", None, [], "integer", None, [str(row) for row in range(ROWS)]),
    ]
    write_csv("nested.csv", made)
    map_type = pa.map_(pa.string(), pa.int64())
    whole = pa.table(
        [pa.array(rows, struct_type), pa.array([[("k", 1)]] * ROWS, map_type), pa.array(range(ROWS), pa.int64())],
        names=["a", "map", "key"],
    )
    pq.write_table(whole, OUT / "nested.parquet")
    with ipc.new_file(OUT / "nested.arrow", whole.schema) as writer:
        writer.write_table(whole, 700)
    for name in ("nested.parquet", "nested.arrow"):
        note(name, "nested.csv", made)
    inner = {"type": "record", "name": "C", "fields": [{"name": "d", "type": "string"}]}
    outer = {
        "type": "record",
        "name": "A",
        "fields": [
            {"name": "b", "type": ["null", "long"]},
            {"name": "c", "type": ["null", inner]},
            {"name": "list", "type": {"type": "array", "items": "int"}},
        ],
    }
    fields = [
        {"name": "a", "type": ["null", outer]},
        {"name": "map", "type": {"type": "map", "values": "long"}},
        {"name": "key", "type": "long"},
    ]
    schema = {"type": "record", "name": "R", "namespace": "n", "fields": fields}
    records = [{"a": row, "map": {"k": 1, "l": 2}, "key": at} for at, row in enumerate(rows)]
    with open(OUT / "nested.avro", "wb") as file:
        fastavro.writer(file, fastavro.parse_schema(schema), records)
    note("nested.avro", "nested.csv", made)


def dig(value, path):
    for name in path:
        if value is None:
            return None
        value = value[name]
    return value


def arrow():
    made = columns()
    extra = [
        Column("half", pa.float16(), every(True, 0.5, -2.0, 65504.0), "float"),
        Column("large", pa.large_string(), every(True, "large", 'a,"b"'), "text"),
        Column("large_binary", pa.large_binary(), every(True, b"\xff\x00"), "bytes", "escaped"),
        Column("view", pa.string_view(), every(True, "short", "a text longer than twelve bytes", ""), "text"),
        Column("dec76", pa.decimal256(76, 5), every(True, decimal.Decimal("-" + "9" * 71 + ".12345")), "decimal"),
        Column("day", pa.date64(), every(True, 0, 86400000 * 19844), "time", "yyyy-MM-dd"),
        Column("took", pa.duration("us"), every(True, -5, 10**15), "integer"),
        Column("none", pa.null(), [None] * ROWS, "text"),
    ]
    extra[5].texts = mapped(extra[5].values, lambda d: str(dt.date(1970, 1, 1) + dt.timedelta(milliseconds=d)))
    whole = table(made + extra)
    words = every(True, *[f"word {n}" for n in range(300)])
    made = made + extra + [Column("word", None, [], "text", None, [text(w) for w in words])]
    whole = whole.append_column("word", pa.array(words).dictionary_encode())
    write_csv("arrow.csv", made)
    for codec in (None, "lz4", "zstd"):
        options = ipc.IpcWriteOptions(compression=codec)
        name = codec or "plain"
        with ipc.new_file(OUT / f"{name}.arrow", whole.schema, options=options) as writer:
            writer.write_table(whole, 1000)
        with ipc.new_stream(OUT / f"{name}.arrows", whole.schema, options=options) as writer:
            writer.write_table(whole, 1000)
        note(f"{name}.arrow", "arrow.csv", made)
        note(f"{name}.arrows", "arrow.csv", made)
    feather.write_feather(whole, OUT / "plain.feather", compression="lz4", chunksize=777)
    note("plain.feather", "arrow.csv", made)


def avro():
    made = [column for column in columns() if not column.name.startswith("uint") or column.name in ("uint8", "uint16")]
    made = [column for column in made if column.name not in ("at_s", "at_sUTC", "day_ns", "int8", "int16", "uint8", "uint16")]
    logical = {
        "date": {"type": "int", "logicalType": "date"},
        "day_ms": {"type": "int", "logicalType": "time-millis"},
        "day_us": {"type": "long", "logicalType": "time-micros"},
        "dec9": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2},
        "dec18": {"type": "bytes", "logicalType": "decimal", "precision": 18, "scale": 6},
        "dec38": {"type": "fixed", "name": "D38", "size": 16, "logicalType": "decimal", "precision": 38, "scale": 10},
        "fixed": {"type": "fixed", "name": "F5", "size": 5},
        "id": {"type": "string", "logicalType": "uuid"},
        "steady": {"type": "enum", "name": "E", "symbols": ["one", "two", "three"]},
    }
    for unit, name in (("ms", "millis"), ("us", "micros"), ("ns", "nanos")):
        logical[f"at_{unit}UTC"] = {"type": "long", "logicalType": f"timestamp-{name}"}
        logical[f"at_{unit}"] = {"type": "long", "logicalType": f"local-timestamp-{name}"}
    plain = {"text": "string", "integer": "long", "float": "double", "boolean": "boolean", "bytes": "bytes"}
    fields = []
    for column in made:
        kind = logical.get(column.name) or ("float" if column.name == "float" else plain[column.kind])
        kind = "int" if column.name == "int32" else kind
        fields.append({"name": column.name, "type": kind if column.name in ("steady", "count") else ["null", kind]})
    schema = fastavro.parse_schema({"type": "record", "name": "R", "namespace": "com.example", "fields": fields})
    # fastavro takes stored integers for times, and bytes for numbers of a fixed size, only under other types.
    bare = json.loads(json.dumps(schema))
    for field in bare["fields"]:
        inner = field["type"][1] if isinstance(field["type"], list) else field["type"]
        if isinstance(inner, dict) and inner.get("logicalType") in ("date", *[f"time-{u}" for u in ("millis", "micros")]):
            inner.pop("logicalType")
        elif isinstance(inner, dict) and "timestamp" in inner.get("logicalType", ""):
            inner.pop("logicalType")
        elif isinstance(inner, dict) and inner.get("logicalType") == "uuid":
            inner.pop("logicalType")
    bare.pop("__fastavro_parsed__", None)
    bare.pop("__named_schemas", None)
    stated = {key: value for key, value in schema.items() if not key.startswith("__")}
    values = {column.name: column.texts if column.name == "id" else column.values for column in made}
    values["id"] = [v or None for v in values["id"]]
    records = [{name: column[row] for name, column in values.items()} for row in range(ROWS)]
    write_csv("avro.csv", made)
    for codec in ("null", "deflate", "snappy", "zstandard"):
        path = OUT / f"{codec}.avro"
        with open(path, "wb") as file:
            fastavro.writer(file, fastavro.parse_schema(bare), records, codec=codec, sync_interval=20000)
        restate(path, stated)
        note(f"{codec}.avro", "avro.csv", made)


def restate(path, schema):
    """Puts another schema into the header of an Avro file."""
    data = path.read_bytes()
    with open(path, "rb") as file:
        reader = fastavro.reader(file)
        codec, sync = reader.codec, reader._header["sync"]
    first = data.index(sync) + len(sync)

    def sized(raw):
        number, out = len(raw) << 1, b""
        while number > 127:
            out, number = out + bytes([number & 127 | 128]), number >> 7
        return out + bytes([number]) + raw

    header = b"Obj\x01\x04" + sized(b"avro.schema") + sized(json.dumps(schema).encode())
    header += sized(b"avro.codec") + sized(codec.encode()) + b"\x00"
    path.write_bytes(header + sync + data[first:])


def packed_text():
    made = columns()
    csv = (OUT / "all.csv").read_bytes()
    packer = zstandard.ZstdCompressor(write_checksum=True)
    half = csv.index(b"\n", len(csv) // 2)
    (OUT / "all.csv.zst").write_bytes(packer.compress(csv[:half]) + b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc" + packer.compress(csv[half:]))
    note("all.csv.zst", "all.csv", made)
    long = zstandard.ZstdCompressor(level=19).compressobj()
    (OUT / "stream.csv.zst").write_bytes(long.compress(csv) + long.flush())
    note("stream.csv.zst", "all.csv", made)


parquet()
nested()
arrow()
avro()
packed_text()
if FEW:
    for name in ("duckdb.csv",):
        (OUT / name).unlink()
(OUT / "index.json").write_text(json.dumps(INDEX, indent=1))
print(len(INDEX), "files")
