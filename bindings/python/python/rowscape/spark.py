"""Rowscape on Spark: counts where the data lie, and row keys as a column.

Values go from Spark to Rust as Arrow columns (``mapInArrow``), without Python objects. The executors need this package and pyarrow.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import Design, RowscapeError, Summary

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

__all__ = ["encode", "summarize"]

COLLECTED = 16
"""Summaries that the driver merges at most: so many tasks merge those of all partitions."""
SAMPLE = 200_000
"""Rows from which split points are fixed that follow from records."""


def _path(schema: StructType, name: str) -> list[str] | None:
    """The names that lead to a column, through structs where it is within such; None if there is none."""
    for field in schema.fields:
        if not hasattr(field.dataType, "fields"):
            if field.name == name:
                return [name]
        elif name.startswith(f"{field.name}."):
            within = _path(field.dataType, name[len(field.name) + 1 :])
            if within is not None:
                return [field.name, *within]
    return None


def _named(design: Design, df: DataFrame) -> DataFrame:
    """The columns that the design reads, in their order, under names of their own: Spark cannot map columns with a point in their name."""
    from pyspark.sql.functions import col

    columns = []
    for number, name in enumerate(design.columns):
        path = _path(df.schema, name)
        if path is None:
            near = difflib.get_close_matches(name, df.columns, 1)
            meant = f"; did you mean “{near[0]}”? Its" if near else "; its"
            message = f"the frame has no column “{name}”{meant} columns are {', '.join(df.columns)}"
            problem = {"code": "records.field-not-held", "place": {"field": name}, "message": message}
            raise RowscapeError(message, problem["code"], [problem])
        columns.append(col(".".join(f"`{part.replace('`', '``')}`" for part in path)).alias(f"c{number}"))
    return df.select(*columns)


def _fixed(design: Design, df: DataFrame) -> Design:
    """The design with its split points fixed by a first pass over its columns, if they follow from records."""
    if not design.splits_follow:
        return design
    rows = df.count()
    sample = df if rows <= SAMPLE else df.sample(fraction=SAMPLE / rows, seed=1)
    return design.fix_splits(_arrow(sample).rename_columns(design.columns))


def _arrow(df: DataFrame) -> pyarrow.Table:
    """The rows as an Arrow table on the driver."""
    if hasattr(df, "toArrow"):
        return df.toArrow()
    import pyarrow

    return pyarrow.Table.from_pandas(df.toPandas(), preserve_index=False)


def summarize(df: DataFrame, design: Design, *, samples: bool = True) -> Summary:
    """Counts the rows of a DataFrame: one summary per partition, made by its task and merged inside Spark, also over Spark Connect.

    Args:
        df: the records; only the columns that the design names are read.
        design: the design. Split points that follow from records are fixed by a first pass over a sample of about 200,000 rows.
        samples: False leaves out sampled rows, keys and values: counts alone leave the cluster.

    Returns:
        The summary of all rows, on the driver. Every count is exact, whatever the partitions and however often tasks run.

    Raises:
        RowscapeError: a column is missing; pyspark's own exceptions for whatever fails in its tasks.
    """
    import pyarrow

    named, names = _named(design, df), design.columns
    design = _fixed(design, named)
    whole = Summary(design, samples=samples)
    document = design._handle.document()
    schema = "summary binary"

    def one(summary: Summary) -> pyarrow.RecordBatch:
        return pyarrow.record_batch([pyarrow.array([summary.to_bytes()], pyarrow.binary())], names=["summary"])

    def count(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        part = Summary(Design(document), part=f"partition {context.partitionId() if context else 0}", samples=samples)
        rows = 0
        for batch in batches:
            part.add(pyarrow.RecordBatch.from_arrays(batch.columns, names=names))
            rows += batch.num_rows
        if rows:
            yield one(part)

    def merge(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        merged = None
        for batch in batches:
            for value in batch.column(0):
                part = Summary.from_bytes(value.as_buffer())
                merged = part if merged is None else merged.merge(part)
        if merged is not None:
            yield one(merged)

    # How many partitions there are, Spark Connect does not tell.
    parts = named.mapInArrow(count, schema).repartition(COLLECTED).mapInArrow(merge, schema)
    for row in parts.collect():
        whole.merge(Summary.from_bytes(row[0]))
    return whole


def encode(df: DataFrame, design: Design, *, column: str = "rowkey") -> DataFrame:
    """The DataFrame with the row key of each row as a binary column, null for a row without a key.

    Args:
        df: the records.
        design: the design.
        column: name of the new column.
    """
    from pyspark.sql.types import BinaryType, StructField, StructType

    _named(design, df)
    if column in df.columns:
        raise ValueError(f"the frame has a column {column} already; name another with column=")
    document, table = design._handle.document(), design._table
    schema = StructType([*df.schema.fields, StructField(column, BinaryType(), True)])

    def keys(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow

        own = Design(document, table)
        for batch in batches:
            made = pyarrow.array(own.encode(batch))
            yield pyarrow.RecordBatch.from_arrays([*batch.columns, made], names=[*batch.schema.names, column])

    return df.mapInArrow(keys, schema)
