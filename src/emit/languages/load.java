private static String given(Map<String, String> record, String... columns) {
    String[] texts = new String[columns.length];
    for (int i = 0; i < columns.length; i++) {
        texts[i] = record.get(columns[i]);
        if (texts[i] == null) throw refused("no column " + columns[i]);
        if (columns.length > 1) texts[i] = texts[i].trim();
    }
    return String.join(" ", texts);
}

private static long longOf(String text) {
    return Long.parseLong(text.trim());
}

private static double doubleOf(String text) {
    return Double.parseDouble(text.trim());
}

private static BigDecimal decimalOf(String text) {
    return new BigDecimal(text.trim());
}

private static boolean booleanOf(String text) {
    String word = text.trim().toLowerCase(Locale.ROOT);
    if (!word.equals("true") && !word.equals("false")) throw refused("neither true nor false");
    return word.equals("true");
}

private static byte[] hexOf(String text) {
    String digits = text.trim().replace("-", "");
    if (digits.length() % 2 == 1 || !digits.matches("[0-9A-Fa-f]*")) throw refused("bytes that are not hexadecimal");
    return bytes(digits);
}

private static byte[] escapedOf(String text) {
    return Bytes.toBytesBinary(text);
}

private static Instant epochOf(String text, int digits) {
    return Instant.ofEpochMilli(new BigDecimal(text.trim()).movePointRight(digits).setScale(0, RoundingMode.FLOOR).longValueExact());
}

private static Instant isoOf(String text, long zone) {
    String time = text.trim().replace(' ', 'T');
    if (time.indexOf('T') < 0) time += "T00:00";
    ZoneOffset offset = ZoneOffset.ofTotalSeconds((int) (zone / 1000));
    return milliseconds(Instant.from(DateTimeFormatter.ISO_DATE_TIME.withZone(offset).parse(time)));
}

private static final Map<String, DateTimeFormatter> READERS = new ConcurrentHashMap<>();
private static Instant timeOf(String text, String pattern, long zone) {
    DateTimeFormatter reader = READERS.computeIfAbsent(pattern, one -> {
        DateTimeFormatterBuilder builder = new DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern(one);
        if (one.indexOf('h') < 0) builder.parseDefaulting(ChronoField.HOUR_OF_DAY, 0);
        return builder.parseDefaulting(ChronoField.YEAR_OF_ERA, 1970)
                .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1)
                .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
                .parseDefaulting(ChronoField.MINUTE_OF_HOUR, 0)
                .parseDefaulting(ChronoField.SECOND_OF_MINUTE, 0)
                .toFormatter(Locale.ENGLISH);
    });
    ZoneOffset offset = ZoneOffset.ofTotalSeconds((int) (zone / 1000));
    return milliseconds(Instant.from(reader.withZone(offset).parse(text.trim())));
}

private static Instant milliseconds(Instant time) {
    return Instant.ofEpochMilli(time.toEpochMilli());
}
