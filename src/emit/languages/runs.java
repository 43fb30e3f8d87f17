    /** Times, or numbers, one after the other, of which all have one value: the first and the last of each run. */
    private static List<Instant[]> runs(Instant first, Instant last, Function<Instant, Object> value) {
        List<Instant[]> runs = new ArrayList<>();
        LongFunction<Object> of = millis -> value.apply(Instant.ofEpochMilli(millis));
        for (long[] run : runs(first.toEpochMilli(), last.toEpochMilli(), of)) {
            runs.add(new Instant[] {Instant.ofEpochMilli(run[0]), Instant.ofEpochMilli(run[1])});
        }
        return runs;
    }

    private static List<long[]> runs(long first, long last, LongFunction<Object> value) {
        List<long[]> runs = new ArrayList<>();
        while (first <= last) {
            if (runs.size() == MOST_RUNS) throw refused("a range of more than " + MOST_RUNS + " parts");
            Object here = value.apply(first);
            long inside = first;
            long step = 1;
            while (step <= last - inside && Objects.deepEquals(value.apply(inside + step), here)) {
                inside += step;
                step *= 2;
            }
            for (; step > 0; step /= 2) {
                if (step <= last - inside && Objects.deepEquals(value.apply(inside + step), here)) inside += step;
            }
            runs.add(new long[] {first, inside});
            if (inside == last) break;
            first = inside + 1;
        }
        return runs;
    }

    private static final int MOST_RUNS = 100_000;

