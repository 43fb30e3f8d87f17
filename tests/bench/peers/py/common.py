"""What the Python peers share: the protocol with the bench, stage times, peak memory, the check line."""

import json
import sys
import time

REGIONS, BUCKETS = 16, 120
SPLITS = [format((i + 1) * 0x10000000, "08x") for i in range(REGIONS - 1)]


def stats(counts):
    ordered = sorted(counts)
    n = len(ordered)
    mean = sum(ordered) / n
    deviation = (sum((x - mean) ** 2 for x in ordered) / n) ** 0.5
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2, ordered[-1], deviation / mean


def number(x):
    return repr(int(x)) if x == int(x) else repr(x)


def check_line(first, last, cells, top):
    """cells: (region, bucket, rows); top: (phone, rows)"""
    counts = [0] * REGIONS
    weighted = 0
    for region, bucket, rows in cells:
        counts[region] += rows
        weighted += (region * BUCKETS + bucket + 1) * rows
    median, most, cv = stats(counts)
    tops = [f"{top[i][0]}:{top[i][1]}" for i in (0, 19)]
    return "|".join([first, last, str(weighted), *tops, number(median), number(most), f"{cv:.6f}"])


def peak_mb():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
    except OSError:
        return None


class Stopwatch:
    """Milliseconds by stage: call it with a stage's name when the stage ends."""

    def __init__(self):
        self.last = time.perf_counter()
        self.stages = {}

    def __call__(self, stage):
        now = time.perf_counter()
        self.stages[stage] = (now - self.last) * 1000
        self.last = now


def serve(version, job, file):
    print(json.dumps({"version": version}), flush=True)
    for _ in sys.stdin:
        begin = time.perf_counter()
        result = job(file)
        result["total"] = (time.perf_counter() - begin) * 1000
        print(json.dumps({**result, "peakMB": peak_mb()}), flush=True)
