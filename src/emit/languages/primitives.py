def key(*parts):
    made = b"".join(parts)
    if not 1 <= len(made) <= 32767:
        raise ValueError("a row key of %d bytes" % len(made))
    return made

def concat(*parts):
    return b"".join(parts)

def end_null(separators, of_null, *parts):
    made = b"".join(parts)
    if len(parts[-1]) > of_null:
        return made
    zeros = len(made) - len(made.rstrip(b"\x00"))
    return made[: len(made) - min(separators, zeros)]

def utf8(value):
    return value.encode("utf-8")

def text(value):
    return value.decode("utf-8")

def join(separator, *parts):
    return separator.join(parts)

def refuse(wrong, what):
    if wrong:
        raise ValueError(what)

def sized(value, width):
    refuse(len(utf8(value)) != width, "a text of the wrong width")
    return value

def sized_bytes(value, width):
    refuse(len(value) != width, "a value of the wrong width")
    return value

def reverse(value):
    return value[::-1]

def reverse_parts(value, separator):
    return separator.join(reversed(value.split(separator)))

def part(value, separator, n):
    return value.split(separator)[n]

def before(value, separator):
    return value.split(separator)[0]

def after(value, separator):
    return value.split(separator, 1)[1]

def upper(value):
    return value.upper()

def lower(value):
    return value.lower()

def substring(value, start, end):
    units = value.encode("utf-16-be")
    refuse(len(units) < 2 * end, "a text that is too short")
    return units[2 * start:2 * end].decode("utf-16-be")

def rest_of(value, start):
    units = value.encode("utf-16-be")
    refuse(len(units) < 2 * start, "a text that is too short")
    return units[2 * start:].decode("utf-16-be")

def pad(value, width, filler):
    missing = width - len(value.encode("utf-16-be")) // 2
    refuse(missing < 0, "a text that is too long")
    return filler * missing + value

def number(value):
    refuse(not re.fullmatch("[0-9]+", value), "characters other than digits")
    return long(int(value))

def hex_number(value):
    refuse(not re.fullmatch("[0-9a-fA-F]+", value), "characters other than hexadecimal digits")
    return long(int(value, 16))

def long(value):
    refuse(not -(1 << 63) <= value < 1 << 63, "more than 64 bits")
    return value

def lookup(value, table):
    return table[value]

def added(*numbers):
    total = 0
    for one in numbers:
        total = long(total + one)
    return total

def degrees_decimal(value):
    return float(value)

def degrees_integer(value):
    return float(value)

def halved(degrees, end, bits):
    refuse(not -end <= degrees <= end, "degrees that are on no map")
    low, high, cell = -end, end, 0
    for _ in range(bits):
        middle = (low + high) / 2
        above = degrees >= middle
        cell = cell << 1 | above
        low, high = (middle, high) if above else (low, middle)
    return cell

def in_turns(first, first_bits, second, second_bits):
    code = 0
    for turn in range(first_bits + second_bits):
        value, bits = (second, second_bits) if turn % 2 else (first, first_bits)
        code = code << 1 | value >> (bits - 1 - turn // 2) & 1
    return code

def geohash(latitude, longitude, n):
    bits = 5 * n // 2
    more = 5 * n - bits
    code = in_turns(halved(longitude, 180.0, more), more, halved(latitude, 90.0, bits), bits)
    return "".join("0123456789bcdefghjkmnpqrstuvwxyz"[code >> 5 * place & 31] for place in reversed(range(n)))

def z_order(first, second, bits):
    refuse(min(first, second) < 0 or max(first, second) >> bits, "a number that does not fit")
    return in_turns(first, bits, second, bits).to_bytes((2 * bits + 7) // 8, "big")

def plus(value, n):
    return long(value + n)

def div(value, n):
    return value // n if value >= 0 else -(-value // n)

def mod(value, n):
    return value - div(value, n) * n

def floor_mod(value, n):
    return value % n

def floor_div(value, n):
    return value // n

def masked(value, mask):
    return value & mask

def absolute(value):
    return value if value == -(1 << 63) else abs(value)

def abs_int(value):
    return value if value == -(1 << 31) else abs(value)

def reverse_long(value):
    return long((1 << 63) - 1 - value)

def salted(salt, buckets):
    refuse(not 0 <= salt < buckets, "a salt outside its buckets")
    return salt

def natural(value):
    refuse(value < 0, "a negative number")
    return value

def words(value, all_words):
    refuse(not 0 <= value < len(all_words), "a number without a word")
    return all_words[value]

def millis(moment):
    return (moment - EPOCH) // timedelta(milliseconds=1)

def format(time, pattern, zone):
    local = EPOCH + timedelta(milliseconds=time + zone)
    units = {"y": local.year, "M": local.month, "d": local.day, "H": local.hour, "m": local.minute, "s": local.second}
    def written(match):
        found = match.group()
        if found[0] == "'":
            return found[1:-1] or "'"
        if found[0] == "S":
            return ("%06d" % local.microsecond).ljust(9, "0")[:len(found)]
        unit = units[found[0]] % 100 if found == "yy" else units[found[0]]
        return str(unit).zfill(len(found))
    return re.sub("'[^']*'|y+|M+|d+|H+|m+|s+|S+", written, pattern)

def truncate(time, period, zone):
    return time - within(time, period, zone)

def within(time, period, zone):
    return (time + zone) % period

def md5(value):
    return hashlib.md5(value).digest()

def sha1(value):
    return hashlib.sha1(value).digest()

def sha256(value):
    return hashlib.sha256(value).digest()

def crc32(value):
    return zlib.crc32(value)

def signed(value):
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)

def java_hash(value):
    units = value.encode("utf-16-be")
    hashed = 0
    for high, low_byte in zip(units[::2], units[1::2]):
        hashed = hashed * 31 + high * 256 + low_byte & 0xffffffff
    return signed(hashed)

def bytes_hash(value):
    hashed = 1
    for one in value:
        hashed = hashed * 31 + (one if one < 128 else one - 256) & 0xffffffff
    return signed(hashed)

def rotate(word, by):
    return (word << by | word >> 32 - by) & 0xffffffff

def little(value):
    return int.from_bytes(value, "little")

def murmur(value, seed=-1):
    m, tail = 0x5bd1e995, len(value) // 4 * 4
    hashed = (seed ^ len(value)) & 0xffffffff
    for at in range(0, tail, 4):
        word = little(value[at:at + 4]) * m & 0xffffffff
        hashed = (hashed * m ^ (word ^ word >> 24) * m) & 0xffffffff
    for place, one in enumerate(value[tail:]):
        hashed ^= (one if one < 128 else one - 256) << 8 * place & 0xffffffff
    if tail < len(value):
        hashed = hashed * m & 0xffffffff
    hashed = (hashed ^ hashed >> 13) * m & 0xffffffff
    return signed(hashed ^ hashed >> 15)

def murmur3(value, seed=-1):
    def mixed(word):
        return rotate(word * 0xcc9e2d51 & 0xffffffff, 15) * 0x1b873593 & 0xffffffff
    hashed, tail = seed & 0xffffffff, len(value) // 4 * 4
    for at in range(0, tail, 4):
        hashed = rotate(hashed ^ mixed(little(value[at:at + 4])), 13) * 5 + 0xe6546b64 & 0xffffffff
    hashed ^= mixed(little(value[tail:])) ^ len(value)
    hashed = (hashed ^ hashed >> 16) * 0x85ebca6b & 0xffffffff
    hashed = (hashed ^ hashed >> 13) * 0xc2b2ae35 & 0xffffffff
    return signed(hashed ^ hashed >> 16)

def jenkins(value, seed=-1):
    state = [0xdeadbeef + len(value) + seed & 0xffffffff] * 3
    for at in range(0, len(value), 12):
        for i in range(3):
            state[i] = state[i] + little(value[at + 4 * i:min(at + 12, at + 4 * i + 4)]) & 0xffffffff
        last = at + 12 >= len(value)
        for i, by in enumerate([14, 11, 25, 16, 4, 14, 24] if last else [4, 6, 8, 16, 19, 4]):
            x = (i + 2) % 3 if last else i % 3
            y, z = (x + 1) % 3, (x + 2) % 3
            if last:
                state[x] = (state[x] ^ state[z]) - rotate(state[z], by) & 0xffffffff
            else:
                state[x] = (state[x] - state[z] & 0xffffffff) ^ rotate(state[z], by)
                state[z] = state[z] + state[y] & 0xffffffff
    return signed(state[2])

def opentsdb_bucket(series, buckets):
    if len(series) < 3 or series[:3] == bytes(3):
        return 0
    return abs(mod(bytes_hash(series), buckets))

def decimal(value, width=None):
    if width is None:
        return str(value)
    refuse(value < 0 or len(str(value)) > width, "a number that does not fit")
    return str(value).zfill(width)

def string_decimal(value):
    return str(value)

def string_boolean(value):
    return "true" if value else "false"

def hex(value, n=None):
    if n is None:
        return value.hex()
    return head(value, (n + 1) // 2).hex()[:n]

def hex_integer(value, n):
    digits = "%x" % natural(value)
    refuse(len(digits) > n, "a number that does not fit")
    return digits.zfill(n)

def signed_of(value, n):
    return int.from_bytes(head(value, n), "big", signed=True)

def unsigned_of(value, n):
    return int.from_bytes(head(value, n), "big")

def head(value, n):
    refuse(len(value) < n, "too few bytes")
    return value[:n]

def low(value, width):
    # OpenTSDB shifts a number of 32 bits.
    return bytes((value & 0xffffffff) >> 8 * place % 32 & 255 for place in reversed(range(width)))

def fixed(value, width):
    return value.to_bytes(width, "big", signed=True)

def unsigned(value, width):
    return value.to_bytes(width, "big")

def flipped(value, width):
    return (value + (1 << 8 * width - 1)).to_bytes(width, "big")

def fits32(value):
    struct.pack(">f", value)
    return value

def positive(value):
    refuse(value == value and struct.pack(">d", value)[0] > 127, "a negative number")
    return value

def float32(value):
    try:
        return struct.pack(">f", value) if value == value else bytes.fromhex("7fc00000")
    except OverflowError:
        return struct.pack(">f", float("inf") if value > 0 else float("-inf"))

def float64(value):
    return struct.pack(">d", value) if value == value else bytes.fromhex("7ff8000000000000")

def sortable(bits):
    return invert(bits) if bits[0] > 127 else bytes([bits[0] ^ 128]) + bits[1:]

def incremented(value):
    return ((int.from_bytes(value, "big") + 1) % (1 << 8 * len(value))).to_bytes(len(value), "big")

def big_decimal(value):
    unscaled, scale = parts_of(value)
    bits = unscaled if unscaled >= 0 else ~unscaled
    return fixed(scale, 4) + fixed(unscaled, bits.bit_length() // 8 + 1)

def parts_of(value):
    sign, digits, exponent = value.as_tuple()
    unscaled = int("".join(map(str, digits)))
    return -unscaled if sign else unscaled, -exponent

def truth(value, no, yes):
    return yes if value else no

def no_zero(value):
    refuse(0 in value, "a zero byte")
    return value

def full(value):
    refuse(not value, "an empty value")
    return value

def pad_to(value, width):
    refuse(len(value) > width, "a value that is too long")
    return value.ljust(width, bytes(1))

def pad_tail(value, width):
    return pad_to(no_zero(value), width)

def pad_blanks(value, width):
    refuse(any(not 32 <= one < 128 for one in value) or full(value)[-1] == 32, "characters other than ASCII, or a trailing space")
    return pad_to(value, width).replace(bytes(1), b" ")

def prefix(value, before):
    return before + value

def append(value, after):
    return value + after

def invert(value):
    return bytes(255 - one for one in value)

def escaped(value):
    return value.replace(b"\x01", b"\x01\x02").replace(b"\x00", b"\x01\x01") + b"\x00"

def seven_bits(value):
    bits = "".join("{:08b}".format(one) for one in value)
    groups = [bits[at:at + 7].ljust(7, "0") for at in range(0, max(1, len(bits)), 7)]
    return bytes(int(one, 2) | 128 for one in groups[:-1]) + bytes([int(groups[-1], 2)])

def digit_pairs(unscaled, scale):
    digits = str(abs(unscaled))
    power = len(digits) - scale - 1
    digits = digits.rstrip("0")
    paired = ("0" if power % 2 == 0 else "") + digits
    paired += "0" * (len(paired) % 2)
    return power, len(digits), [int(paired[at:at + 2]) for at in range(0, len(paired), 2)]

def numeric_integer(value):
    return numeric_parts(value, 0)

def numeric_decimal(value):
    return numeric_parts(*parts_of(value))

def numeric_parts(unscaled, scale):
    if unscaled == 0:
        return b"\x15"
    power, digits, pairs = digit_pairs(unscaled, scale)
    refuse(digits > 31, "too many digits")
    exponent = power // 2 + 1
    header = bytes([0x17 + exponent]) if power >= 0 and exponent <= 10 else b""
    if not header:
        refuse(abs(exponent) > 240, "an exponent out of range")
        header = bytes([0x16, 255 + exponent]) if power < 0 else bytes([0x22, exponent])
    made = header + bytes(2 * pair + 1 for pair in pairs[:-1]) + bytes([2 * pairs[-1]])
    return made if unscaled > 0 else bytes([0x2a - made[0]]) + invert(made[1:])

def phoenix_decimal_integer(value):
    return phoenix_decimal_parts(value, 0)

def null_first(value):
    return bytes(1) if len(value) == 1 else value

def phoenix_decimal_decimal(value):
    return b"" if value is None else phoenix_decimal_parts(*parts_of(value))

def phoenix_decimal_parts(unscaled, scale):
    if unscaled == 0:
        return b"\x80"
    power, digits, pairs = digit_pairs(unscaled, scale)
    exponent = power // 2
    refuse(digits > 38 or not -63 <= exponent <= 61, "a number that Phoenix would change")
    if unscaled > 0:
        return bytes([exponent + 65 | 128]) + bytes(pair + 1 for pair in pairs)
    made = bytes([~(exponent + 65) & 127]) + bytes(101 - pair for pair in pairs)
    return made + b"f" if len(made) < 21 else made
