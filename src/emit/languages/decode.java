private static byte[] cut(byte[] row, int from, int to) {
    if (from < 0 || to < from || to > row.length) throw refused("a row of other parts");
    return Arrays.copyOfRange(row, from, to);
}

private static int behind(byte[] row, int from, byte[] literal) {
    if (!Arrays.equals(cut(row, from, from + literal.length), literal)) throw refused("a row of other parts");
    return from + literal.length;
}

private static int next(byte[] row, int from, int wanted) {
    for (int i = from; i < row.length; i++) if ((row[i] & 0xff) == wanted) return i;
    throw refused("a row of other parts");
}

private static int last(byte[] row, int to, int wanted) {
    for (int i = to - 1; i >= 0; i--) if ((row[i] & 0xff) == wanted) return i;
    throw refused("a row of other parts");
}

private static void ends(byte[] row, int at) {
    if (at != row.length) throw refused("a row of other parts");
}

private static byte[] stripped(byte[] value, int pad) {
    int length = value.length;
    while (length > 0 && value[length - 1] == pad) length--;
    return cut(value, 0, length);
}

private static void same(byte[] found, byte[] made) {
    if (!Arrays.equals(found, made)) throw refused("a row whose parts contradict each other");
}

private static long unfixed(byte[] value) {
    long number = value[0];
    for (int i = 1; i < value.length; i++) number = number << 8 | value[i] & 0xff;
    return number;
}

private static long unsignedOf(byte[] value) {
    long number = 0;
    for (byte one : value) number = number << 8 | one & 0xff;
    return number;
}

private static long unflipped(byte[] value) {
    return unsignedOf(value) - (1L << 8 * value.length - 1);
}

private static long digits(String text) {
    return Long.parseLong(text);
}

private static byte[] unhex(String text) {
    return bytes(text);
}

private static final Map<String, DateTimeFormatter> READERS = new ConcurrentHashMap<>();
private static long unformatted(String text, String pattern, long zone) {
    DateTimeFormatter reader = READERS.computeIfAbsent(pattern, one -> new DateTimeFormatterBuilder()
            .appendPattern(one)
            .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1)
            .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
            .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
            .parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0)
            .parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0)
            .toFormatter());
    return LocalDateTime.parse(text, reader).toInstant(ZoneOffset.UTC).toEpochMilli() - zone;
}

private static byte[] without(byte[] value, int first, int last) {
    return cut(value, first, value.length - last);
}

private static boolean isTrue(byte[] value, byte[] yes) {
    return Arrays.equals(value, yes);
}

private static byte[] stored(Result cells, byte[] family, byte[] qualifier) {
    byte[] value = cells.getValue(family, qualifier);
    if (value == null) throw refused("no cell " + Bytes.toStringBinary(family) + ":" + Bytes.toStringBinary(qualifier));
    return value;
}
