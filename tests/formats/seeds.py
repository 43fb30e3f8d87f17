"""Writes a small file for each format, framing, compression and encoding: python3 seeds.py ../fuzz/corpus/formats."""

import sys
from pathlib import Path

import fastavro
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
import zstandard

OUT = Path(sys.argv[1])
OUT.mkdir(parents=True, exist_ok=True)
TABLE = pa.table({
    "t": pa.array(["one", None, "two, \"2\"", "one"]),
    "n": pa.array([1, -2, None, 2**40]),
    "f": pa.array([0.5, None, -1.0, 3.0]),
    "b": pa.array([True, False, None, True]),
})
SPLIT = {"n": "BYTE_STREAM_SPLIT", "f": "BYTE_STREAM_SPLIT"}
DELTA = {"n": "DELTA_BINARY_PACKED", "t": "DELTA_BYTE_ARRAY", "b": "RLE"}
LENGTHS = {"t": "DELTA_LENGTH_BYTE_ARRAY"}


def parquet(name, table=TABLE, **options):
    pq.write_table(table, OUT / f"{name}.parquet", store_schema=False, **options)


for codec in ("none", "snappy", "gzip", "brotli", "lz4", "zstd"):
    parquet(codec, compression=codec, data_page_version="2.0" if codec in ("gzip", "zstd") else "1.0")
for name, encoding in (("split", SPLIT), ("delta", DELTA), ("lengths", LENGTHS), ("plain", {})):
    parquet(name, compression="none", use_dictionary=False, column_encoding=encoding or None)
parquet("groups", compression="none", row_group_size=2, write_page_index=True, write_page_checksum=True)

nested = pa.table({
    "s": pa.array([{"a": 1, "in": {"b": "x"}}, None, {"a": None, "in": None}]),
    "l": pa.array([[1, 2], None, []]),
    "d": pa.array(["x", "y", "x"]).dictionary_encode(),
    "v": pa.array(["short", "a text of more than twelve bytes", None], pa.string_view()),
    "z": pa.nulls(3),
})
parquet("nested-groups", nested.drop(["v"]), compression="none")
for codec in (None, "lz4", "zstd"):
    options = ipc.IpcWriteOptions(compression=codec)
    with ipc.new_file(OUT / f"{codec or 'plain'}.arrow", nested.schema, options=options) as writer:
        writer.write_table(nested, 2)
    with ipc.new_stream(OUT / f"{codec or 'plain'}.arrows", nested.schema, options=options) as writer:
        writer.write_table(nested, 2)
words = [pa.array(words).dictionary_encode() for words in (["a", "b"], ["a", "b", "c"])]
schema = pa.schema([("d", words[0].type)])
with ipc.new_stream(OUT / "deltas.arrows", schema, options=ipc.IpcWriteOptions(emit_dictionary_deltas=True)) as writer:
    for word in words:
        writer.write_batch(pa.record_batch([word], schema=schema))
feather.write_feather(TABLE, OUT / "feather.arrow", compression="uncompressed")

AVRO = {"type": "record", "name": "R", "fields": [
    {"name": "t", "type": ["null", "string"]},
    {"name": "e", "type": {"type": "enum", "name": "E", "symbols": ["x", "y"]}},
    {"name": "i", "type": {"type": "fixed", "name": "F", "size": 2}},
    {"name": "l", "type": {"type": "array", "items": {"type": "record", "name": "P", "fields": [
        {"name": "next", "type": ["null", "P"]}, {"name": "n", "type": "long"}]}}},
    {"name": "m", "type": {"type": "map", "values": "double"}},
    {"name": "s", "type": {"type": "record", "name": "S", "fields": [{"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}}]}},
]}
row = {"t": "x", "e": "y", "i": b"12", "l": [{"next": {"next": None, "n": 1}, "n": 2}], "m": {"k": 0.5}, "s": {"at": 1}}
for codec in ("null", "deflate", "snappy", "zstandard"):
    with open(OUT / f"{codec}.avro", "wb") as file:
        fastavro.writer(file, AVRO, [row, {**row, "t": None, "l": [], "m": {}}], codec=codec, sync_interval=10)

CSV = b"a,b\n" + b"".join(b"%d,text %d\n" % (row, row % 3) for row in range(30))
sized = zstandard.ZstdCompressor(write_checksum=True).compress(CSV)
stream = zstandard.ZstdCompressor(level=19, write_content_size=False).compressobj()
(OUT / "sized.zst").write_bytes(sized)
(OUT / "stream.zst").write_bytes(stream.compress(CSV) + stream.flush())
(OUT / "frames.zst").write_bytes(sized + b"\x50\x2a\x4d\x18\x03\0\0\0abc" + zstandard.compress(b"") + zstandard.compress(b"7,x\n"))
(OUT / "equal.zst").write_bytes(zstandard.compress(b"a\n" + b"1\n" * 5000))
