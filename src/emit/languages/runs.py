MOST_RUNS = 100_000


def runs(first, last, value):
    """Times, or numbers, one after the other, of which all have one value: the first and the last of each run."""
    unit = timedelta(milliseconds=1) if isinstance(first, datetime) else 1
    most = (last - first) // unit
    found, at = [], 0
    while at <= most:
        if len(found) == MOST_RUNS:
            raise ValueError("a range of more than %d parts" % MOST_RUNS)
        here, inside, step = value(first + at * unit), at, 1
        while inside + step <= most and value(first + (inside + step) * unit) == here:
            inside, step = inside + step, step * 2
        while step:
            if inside + step <= most and value(first + (inside + step) * unit) == here:
                inside += step
            step //= 2
        found.append((first + at * unit, first + inside * unit))
        at = inside + 1
    return found


