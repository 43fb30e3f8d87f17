private static byte[] key(byte[]... parts) {
    byte[] key = concat(parts);
    if (key.length == 0 || key.length > 32767) throw refused("a row key of " + key.length + " bytes");
    return key;
}

private static byte[] concat(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) length += part.length;
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
        System.arraycopy(part, 0, all, at, part.length);
        at += part.length;
    }
    return all;
}

private static byte[] endNull(int separators, int ofNull, byte[]... parts) {
    byte[] all = concat(parts);
    if (parts[parts.length - 1].length > ofNull) return all;
    int length = all.length;
    while (separators-- > 0 && length > 0 && all[length - 1] == 0) length--;
    return Arrays.copyOf(all, length);
}

private static byte[] utf8(String text) {
    return text.getBytes(UTF_8);
}

private static String text(byte[] bytes) {
    try {
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException error) {
        throw refused("bytes that are not text");
    }
}

private static byte[] bytes(String hex) {
    byte[] bytes = new byte[hex.length() / 2];
    for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    return bytes;
}

private static IllegalArgumentException refused(String what) {
    return new IllegalArgumentException(what);
}

private static String join(String separator, String... parts) {
    return String.join(separator, parts);
}

private static String sized(String text, int width) {
    if (utf8(text).length != width) throw refused("a text of the wrong width");
    return text;
}

private static byte[] sizedBytes(byte[] value, int width) {
    if (value.length != width) throw refused("a value of the wrong width");
    return value;
}

private static String reverse(String text) {
    return new StringBuilder(text).reverse().toString();
}

private static String[] parts(String text, String separator) {
    return text.split(java.util.regex.Pattern.quote(separator), -1);
}

private static String reverseParts(String text, String separator) {
    String[] parts = parts(text, separator);
    StringBuilder reversed = new StringBuilder(parts[parts.length - 1]);
    for (int i = parts.length - 2; i >= 0; i--) reversed.append(separator).append(parts[i]);
    return reversed.toString();
}

private static String part(String text, String separator, int n) {
    String[] parts = parts(text, separator);
    int at = n < 0 ? parts.length + n : n;
    if (at < 0 || at >= parts.length) throw refused("a text of too few parts");
    return parts[at];
}

private static String before(String text, String separator) {
    return parts(text, separator)[0];
}

private static String after(String text, String separator) {
    int at = text.indexOf(separator);
    if (at < 0) throw refused("a text of too few parts");
    return text.substring(at + separator.length());
}

private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
}

private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
}

private static String substring(String text, int from, int to) {
    String part = text.substring(from, to);
    if (!text(utf8(part)).equals(part)) throw refused("half a character");
    return part;
}

private static String restOf(String text, int from) {
    String rest = text.substring(from);
    if (!text(utf8(rest)).equals(rest)) throw refused("half a character");
    return rest;
}

private static String pad(String text, int width, String with) {
    if (text.length() > width) throw refused("a text that is too long");
    StringBuilder padded = new StringBuilder();
    while (padded.length() + text.length() < width) padded.append(with);
    return padded.append(text).toString();
}

private static long number(String text) {
    if (!text.matches("[0-9]+")) throw refused("characters other than digits");
    return Long.parseLong(text);
}

private static long hexNumber(String text) {
    if (!text.matches("[0-9a-fA-F]+")) throw refused("characters other than hexadecimal digits");
    return Long.parseLong(text, 16);
}

private static long lookup(String text, Map<String, Long> table) {
    Long number = table.get(text);
    if (number == null) throw refused("a text that is not in the table");
    return number;
}

private static long added(long... numbers) {
    long sum = 0;
    for (long number : numbers) sum = Math.addExact(sum, number);
    return sum;
}

private static double degreesDecimal(BigDecimal value) {
    return value.doubleValue();
}

private static double degreesInteger(long value) {
    return value;
}

private static long halved(double degrees, double end, int bits) {
    if (!(degrees >= -end && degrees <= end)) throw refused("degrees that are on no map");
    double low = -end;
    double high = end;
    long cell = 0;
    for (int bit = 0; bit < bits; bit++) {
        double middle = (low + high) / 2;
        boolean above = degrees >= middle;
        cell = cell << 1 | (above ? 1 : 0);
        if (above) low = middle;
        else high = middle;
    }
    return cell;
}

private static long inTurns(long first, int firstBits, long second, int secondBits) {
    long code = 0;
    for (int turn = 0; turn < firstBits + secondBits; turn++) {
        boolean ofFirst = turn % 2 == 0;
        int left = (ofFirst ? firstBits : secondBits) - 1 - turn / 2;
        code = code << 1 | (ofFirst ? first : second) >>> left & 1;
    }
    return code;
}

private static String geohash(double latitude, double longitude, int n) {
    int bits = 5 * n / 2;
    int more = 5 * n - bits;
    long code = inTurns(halved(longitude, 180, more), more, halved(latitude, 90, bits), bits);
    StringBuilder hash = new StringBuilder();
    for (int place = n - 1; place >= 0; place--)
        hash.append("0123456789bcdefghjkmnpqrstuvwxyz".charAt((int) (code >> 5 * place & 31)));
    return hash.toString();
}

private static byte[] zOrder(long first, long second, int bits) {
    if (first < 0 || second < 0 || first >> bits != 0 || second >> bits != 0) throw refused("a number that does not fit");
    byte[] code = ByteBuffer.allocate(8).putLong(inTurns(first, bits, second, bits)).array();
    return Arrays.copyOfRange(code, 8 - (2 * bits + 7) / 8, 8);
}

private static long plus(long value, long n) {
    return Math.addExact(value, n);
}

private static long div(long value, long n) {
    return value / n;
}

private static long mod(long value, long n) {
    return value % n;
}

private static long floorMod(long value, long n) {
    return Math.floorMod(value, n);
}

private static long floorDiv(long value, long n) {
    return Math.floorDiv(value, n);
}

private static long masked(long value, long mask) {
    return value & mask;
}

private static long absolute(long value) {
    return Math.abs(value);
}

private static long absInt(long value) {
    return Math.abs((int) value);
}

private static long reverseLong(long value) {
    return Math.subtractExact(Long.MAX_VALUE, value);
}

private static long salted(long salt, long buckets) {
    if (salt < 0 || salt >= buckets) throw refused("a salt outside its buckets");
    return salt;
}

private static long natural(long value) {
    if (value < 0) throw refused("a negative number");
    return value;
}

private static String words(long value, String[] words) {
    return words[Math.toIntExact(value)];
}

private static final Map<String, DateTimeFormatter> FORMATS = new ConcurrentHashMap<>();
private static String format(long millis, String pattern, long zone) {
    DateTimeFormatter format = FORMATS.computeIfAbsent(pattern, DateTimeFormatter::ofPattern);
    return format.format(LocalDateTime.ofEpochSecond(Math.floorDiv(millis + zone, 1000L),
            (int) Math.floorMod(millis + zone, 1000L) * 1_000_000, ZoneOffset.UTC));
}

private static long truncate(long millis, long period, long zone) {
    return millis - within(millis, period, zone);
}

private static long within(long millis, long period, long zone) {
    return Math.floorMod(millis + zone, period);
}

private static byte[] digest(String algorithm, byte[] value) {
    try {
        return MessageDigest.getInstance(algorithm).digest(value);
    } catch (NoSuchAlgorithmException error) {
        throw new IllegalStateException(error);
    }
}

private static byte[] md5(byte[] value) {
    return digest("MD5", value);
}

private static byte[] sha1(byte[] value) {
    return digest("SHA-1", value);
}

private static byte[] sha256(byte[] value) {
    return digest("SHA-256", value);
}

private static long crc32(byte[] value) {
    CRC32 crc = new CRC32();
    crc.update(value, 0, value.length);
    return crc.getValue();
}

private static long javaHash(String text) {
    return text.hashCode();
}

private static long bytesHash(byte[] value) {
    return Arrays.hashCode(value);
}

private static int little(byte[] value, int from, int to) {
    int word = 0;
    for (int i = from; i < to && i < value.length; i++) word |= (value[i] & 0xff) << 8 * (i - from);
    return word;
}

private static long murmur(byte[] value) {
    return murmur(value, -1);
}

private static long murmur(byte[] value, int seed) {
    int m = 0x5bd1e995;
    int hash = seed ^ value.length;
    int tail = value.length / 4 * 4;
    for (int i = 0; i < tail; i += 4) {
        int word = little(value, i, i + 4) * m;
        hash = hash * m ^ (word ^ word >>> 24) * m;
    }
    for (int i = tail; i < value.length; i++) hash ^= value[i] << 8 * (i - tail);
    if (tail < value.length) hash *= m;
    hash = (hash ^ hash >>> 13) * m;
    return hash ^ hash >>> 15;
}

private static long murmur3(byte[] value) {
    return murmur3(value, -1);
}

private static long murmur3(byte[] value, int seed) {
    int hash = seed;
    int tail = value.length / 4 * 4;
    for (int i = 0; i < tail; i += 4) {
        hash = Integer.rotateLeft(hash ^ mixed(little(value, i, i + 4)), 13) * 5 + 0xe6546b64;
    }
    hash ^= mixed(little(value, tail, value.length)) ^ value.length;
    hash = (hash ^ hash >>> 16) * 0x85ebca6b;
    hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
    return hash ^ hash >>> 16;
}

private static int mixed(int word) {
    return Integer.rotateLeft(word * 0xcc9e2d51, 15) * 0x1b873593;
}

private static long jenkins(byte[] value) {
    return jenkins(value, -1);
}

private static long jenkins(byte[] value, int seed) {
    int[] s = new int[3];
    Arrays.fill(s, 0xdeadbeef + value.length + seed);
    for (int at = 0; at < value.length; at += 12) {
        for (int i = 0; i < 3; i++) s[i] += little(value, at + 4 * i, at + 4 * i + 4);
        boolean last = at + 12 >= value.length;
        int[] by = last ? new int[] {14, 11, 25, 16, 4, 14, 24} : new int[] {4, 6, 8, 16, 19, 4};
        for (int i = 0; i < by.length; i++) {
            int x = last ? (i + 2) % 3 : i % 3, y = (x + 1) % 3, z = (x + 2) % 3;
            if (last) {
                s[x] = (s[x] ^ s[z]) - Integer.rotateLeft(s[z], by[i]);
            } else {
                s[x] = s[x] - s[z] ^ Integer.rotateLeft(s[z], by[i]);
                s[z] += s[y];
            }
        }
    }
    return s[2];
}

private static long opentsdbBucket(byte[] series, int buckets) {
    if (series.length < 3 || series[0] == 0 && series[1] == 0 && series[2] == 0) return 0;
    return Math.abs(Arrays.hashCode(series) % buckets);
}

private static String decimal(long value) {
    return Long.toString(value);
}

private static String decimal(long value, int width) {
    String digits = Long.toString(value);
    if (value < 0 || digits.length() > width) throw refused("a number that does not fit");
    return pad(digits, width, "0");
}

private static String stringDecimal(BigDecimal value) {
    return value.toString();
}

private static String stringFloat(double value) {
    return Double.toString(value);
}

private static String stringBoolean(boolean value) {
    return Boolean.toString(value);
}

private static String hex(byte[] value) {
    StringBuilder digits = new StringBuilder();
    for (byte one : value) digits.append(String.format("%02x", one & 0xff));
    return digits.toString();
}

private static String hex(byte[] value, int n) {
    return hex(head(value, (n + 1) / 2)).substring(0, n);
}

private static String hexInteger(long value, int n) {
    String digits = Long.toHexString(natural(value));
    if (digits.length() > n) throw refused("a number that does not fit");
    return pad(digits, n, "0");
}

private static long signedOf(byte[] value, int n) {
    return new BigInteger(head(value, n)).longValue();
}

private static long unsignedOf(byte[] value, int n) {
    return new BigInteger(1, head(value, n)).longValue();
}

private static byte[] head(byte[] value, int n) {
    if (value.length < n) throw refused("too few bytes");
    return Arrays.copyOf(value, n);
}

private static byte[] low(long value, int width) {
    byte[] bytes = new byte[width];
    // OpenTSDB shifts a number of 32 bits.
    for (int i = 0; i < width; i++) bytes[i] = (byte) ((int) value >>> 8 * (width - 1 - i));
    return bytes;
}

private static byte[] fixed(long value, int width) {
    int spare = 64 - 8 * width;
    if (value << spare >> spare != value) throw refused("a number that does not fit");
    return Arrays.copyOfRange(ByteBuffer.allocate(8).putLong(value).array(), 8 - width, 8);
}

private static byte[] unsigned(long value, int width) {
    if (value < 0 || value >>> 8 * width != 0) throw refused("a number that does not fit");
    return Arrays.copyOfRange(ByteBuffer.allocate(8).putLong(value).array(), 8 - width, 8);
}

private static byte[] flipped(long value, int width) {
    byte[] bytes = fixed(value, width);
    bytes[0] ^= (byte) 0x80;
    return bytes;
}

private static double fits32(double value) {
    if (Float.isInfinite((float) value) && !Double.isInfinite(value)) throw refused("a number that does not fit");
    return value;
}

private static double positive(double value) {
    if (Double.doubleToLongBits(value) < 0) throw refused("a negative number");
    return value;
}

private static byte[] float32(double value) {
    return ByteBuffer.allocate(4).putInt(Float.floatToIntBits((float) value)).array();
}

private static byte[] float64(double value) {
    return ByteBuffer.allocate(8).putLong(Double.doubleToLongBits(value)).array();
}

private static byte[] sortable(byte[] bits) {
    if (bits[0] < 0) return invert(bits);
    bits[0] ^= (byte) 0x80;
    return bits;
}

private static byte[] incremented(byte[] value) {
    for (int i = value.length - 1; i >= 0 && ++value[i] == 0; i--) {}
    return value;
}

private static byte[] bigDecimal(BigDecimal value) {
    return concat(fixed(value.scale(), 4), value.unscaledValue().toByteArray());
}

private static byte[] truth(boolean value, byte[] no, byte[] yes) {
    return value ? yes : no;
}

private static byte[] noZero(byte[] value) {
    for (byte one : value) if (one == 0) throw refused("a zero byte");
    return value;
}

private static byte[] full(byte[] value) {
    if (value.length == 0) throw refused("an empty value");
    return value;
}

private static byte[] padTo(byte[] value, int width) {
    if (value.length > width) throw refused("a value that is too long");
    return Arrays.copyOf(value, width);
}

private static byte[] padTail(byte[] value, int width) {
    return padTo(noZero(value), width);
}

private static byte[] padBlanks(byte[] value, int width) {
    for (byte one : value) if (one < ' ') throw refused("characters other than ASCII");
    if (full(value)[value.length - 1] == ' ') throw refused("a trailing space");
    byte[] padded = padTo(value, width);
    Arrays.fill(padded, value.length, width, (byte) ' ');
    return padded;
}

private static byte[] prefix(byte[] value, byte[] before) {
    return concat(before, value);
}

private static byte[] append(byte[] value, byte[] after) {
    return concat(value, after);
}

private static byte[] invert(byte[] value) {
    byte[] inverted = value.clone();
    for (int i = 0; i < value.length; i++) inverted[i] ^= (byte) 0xff;
    return inverted;
}

private static byte[] escaped(byte[] value) {
    byte[] escaped = new byte[2 * value.length + 1];
    int at = 0;
    for (byte one : value) {
        if (one == 0 || one == 1) {
            escaped[at++] = 1;
            escaped[at++] = (byte) (one + 1);
        } else {
            escaped[at++] = one;
        }
    }
    return Arrays.copyOf(escaped, at + 1);
}

private static byte[] sevenBits(byte[] value) {
    byte[] out = new byte[Math.max(1, (8 * value.length + 6) / 7)];
    for (int i = 0; i < out.length; i++) {
        int bits = 0;
        for (int bit = 7 * i; bit < 7 * i + 7; bit++) {
            boolean one = bit < 8 * value.length && (value[bit / 8] >> 7 - bit % 8 & 1) == 1;
            bits = bits << 1 | (one ? 1 : 0);
        }
        out[i] = (byte) (i < out.length - 1 ? bits | 0x80 : bits);
    }
    return out;
}

private static byte[] numericInteger(long value) {
    return numericDecimal(BigDecimal.valueOf(value));
}

private static byte[] numericDecimal(BigDecimal value) {
    if (value.signum() == 0) return bytes("15");
    BigDecimal number = value.stripTrailingZeros();
    if (number.precision() > 31) throw refused("too many digits");
    long power = (long) number.precision() - number.scale() - 1;
    long exponent = Math.floorDiv(power, 2L) + 1;
    byte[] head;
    if (power < 0 || exponent > 10) {
        if (Math.abs(exponent) > 240) throw refused("an exponent out of range");
        head = unsigned(power < 0 ? 0x16 : 0x22, 1);
        byte[] size = unsigned(Math.abs(exponent), 1);
        head = concat(head, power < 0 ? invert(size) : size);
    } else {
        head = unsigned(0x17 + exponent, 1);
    }
    String digits = (Math.floorMod(power, 2L) == 0 ? "0" : "") + number.unscaledValue().abs();
    if (digits.length() % 2 == 1) digits += "0";
    byte[] pairs = new byte[digits.length() / 2];
    for (int i = 0; i < pairs.length; i++) {
        int pair = Integer.parseInt(digits.substring(2 * i, 2 * i + 2));
        pairs[i] = (byte) (2 * pair + (i < pairs.length - 1 ? 1 : 0));
    }
    if (number.signum() > 0) return concat(head, pairs);
    byte[] turned = invert(concat(head, pairs));
    turned[0] = (byte) (0x2a - head[0]);
    return turned;
}

private static byte[] phoenixDecimalInteger(long value) {
    return phoenixDecimalDecimal(BigDecimal.valueOf(value));
}

private static byte[] nullFirst(byte[] value) {
    return value.length == 1 ? new byte[1] : value;
}

private static byte[] phoenixDecimalDecimal(BigDecimal value) {
    if (value == null) return new byte[0];
    if (value.signum() == 0) return bytes("80");
    BigDecimal number = value.stripTrailingZeros();
    long power = (long) number.precision() - number.scale() - 1;
    long exponent = Math.floorDiv(power, 2L);
    if (number.precision() > 38 || exponent < -63 || exponent > 61) throw refused("a number that Phoenix would change");
    String digits = (Math.floorMod(power, 2L) == 0 ? "0" : "") + number.unscaledValue().abs();
    if (digits.length() % 2 == 1) digits += "0";
    boolean negative = number.signum() < 0;
    byte[] out = new byte[1 + digits.length() / 2];
    out[0] = (byte) (negative ? ~(exponent + 65) & 0x7f : exponent + 65 | 0x80);
    for (int i = 1; i < out.length; i++) {
        int pair = Integer.parseInt(digits.substring(2 * i - 2, 2 * i));
        out[i] = (byte) (negative ? 101 - pair : pair + 1);
    }
    return negative && out.length < 21 ? append(out, bytes("66")) : out;
}
