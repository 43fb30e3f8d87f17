"""Designs, keys and summaries on any thread, and several threads at the same time."""

import gc
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
import pytest

import rowscape
from conftest import records
from test_design import table
from test_summary import whole

THREADS = 8


def elsewhere(work):
    """The result of work on another thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()


def test_objects_work_on_other_threads_than_their_own(document):
    data = table([row for row in records(200) if row[0]])
    design, summary = rowscape.Design(document), rowscape.Summary(rowscape.Design(document))
    keys = design.encode(data)
    assert elsewhere(lambda: pa.array(design.encode(data))) == elsewhere(lambda: pa.array(keys)) == pa.array(keys)
    assert elsewhere(lambda: design.decode("501_20240502"))["record"]["phone"] == "105"
    assert elsewhere(lambda: design.region_of("7")) == 2
    assert elsewhere(lambda: design.findings()) == design.findings()
    assert elsewhere(lambda: summary.add(data)) is summary and elsewhere(lambda: summary.rows) == data.num_rows
    assert elsewhere(lambda: summary.to_bytes()) == summary.to_bytes()
    # Made on one thread, dropped on another.
    made = elsewhere(lambda: [rowscape.Design(document), rowscape.Summary(design).add(data), design.encode(data)])
    del made
    gc.collect()


def answers(design, rows):
    """Everything of some records, as one value."""
    data = table(rows)
    summary = rowscape.Summary(design, part="p").add(data)
    analysis = design.analyze(data)
    keys = design.encode(data)
    return (pa.array(keys).to_pylist(), keys.refused, summary.to_bytes(), whole(summary), analysis, design.plan({"where": {"phone": "105"}}, data))


def test_many_threads_have_the_results_of_one(document):
    design = rowscape.Design(document)
    rows = [records(400 + 37 * number, seed=number) for number in range(THREADS)]
    alone = [answers(design, own) for own in rows]
    # All work on the same design; each also on one of its own, which is dropped at once.
    begin = threading.Barrier(THREADS)

    def work(number):
        begin.wait()
        return [answers(rowscape.Design(document) if turn % 2 else design, rows[number]) for turn in range(6)]

    with ThreadPoolExecutor(THREADS) as pool:
        for number, turns in enumerate(pool.map(work, range(THREADS))):
            assert turns == [alone[number]] * len(turns)


def test_one_summary_takes_records_from_many_threads(document):
    design = rowscape.Design(document)
    rows = records(4_000)
    shared, looked = rowscape.Summary(design), []

    def add(cut):
        shared.add(table(rows[cut : cut + 100]))
        looked.append(shared.rows)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(add, range(0, 4_000, 100)))
    assert whole(shared) == whole(rowscape.Summary(design).add(table(rows)))
    assert max(looked) == 4_000
    # Two threads that merge two summaries into each other wait for neither.
    both = [rowscape.Summary(design, part=name).add(table(rows[:100])) for name in "ab"]
    begin = threading.Barrier(2)

    def merge(one):
        begin.wait()
        try:
            both[one].merge(both[1 - one])
        except rowscape.RowscapeError as error:
            assert error.code == "summary.part-twice"

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(merge, (0, 1)))
    assert 200 in [summary.rows for summary in both]


def test_records_from_a_generator_that_uses_the_same_summary(document):
    summary = rowscape.Summary(rowscape.Design(document))
    data = table(records(50))

    def batches():
        for _ in range(2):
            summary.rows
            yield from data.to_batches()

    # Its records cannot go on in a part that the generator has ended.
    with pytest.raises(rowscape.RowscapeError) as ended:
        summary.add(pa.RecordBatchReader.from_batches(data.schema, batches()))
    assert ended.value.code == "records.finished"


def test_other_threads_run_while_records_are_counted(document):
    design = rowscape.Design(document)
    data = table(records(20_000))
    data = pa.concat_tables([data] * 20)
    turns, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            turns[0] += 1
            time.sleep(0)

    other = threading.Thread(target=count)
    other.start()
    try:
        for work in (design.encode, design.analyze, rowscape.Summary(design).add):
            before, begun = turns[0], time.perf_counter()
            work(data)
            took = time.perf_counter() - begun
            # With the lock of the interpreter, the other thread would not run until the call returns.
            assert turns[0] - before > 10 * took, f"{turns[0] - before} turns in {took:.2f} s"
    finally:
        stop.set()
        other.join()
