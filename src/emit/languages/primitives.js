function key(...parts) {
  const made = concat(...parts);
  refuse(made.length < 1 || made.length > 32767, `a row key of ${made.length} bytes`);
  return made;
}

function concat(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function endNull(separators, ofNull, ...parts) {
  const all = concat(...parts);
  if (parts.at(-1).length > ofNull) return all;
  let { length } = all;
  for (let left = separators; left > 0 && length > 0 && all[length - 1] === 0; left--) length--;
  return all.slice(0, length);
}

function refuse(wrong, what) {
  if (wrong) throw new RangeError(what);
}

function hexOf(value) {
  return Array.from(value, (one) => one.toString(16).padStart(2, '0')).join('');
}

function utf8(value) {
  return new TextEncoder().encode(value);
}

function text(value) {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
}

function bytes(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function join(separator, ...parts) {
  return parts.join(separator);
}

function sized(value, width) {
  refuse(utf8(value).length !== width, 'a text of the wrong width');
  return value;
}

function sizedBytes(value, width) {
  refuse(value.length !== width, 'a value of the wrong width');
  return value;
}

function reverse(value) {
  return [...value].reverse().join('');
}

function reverseParts(value, separator) {
  return value.split(separator).reverse().join(separator);
}

function part(value, separator, n) {
  const found = value.split(separator).at(n);
  refuse(found === undefined, 'a text of too few parts');
  return found;
}

function before(value, separator) {
  return value.split(separator)[0];
}

function after(value, separator) {
  const at = value.indexOf(separator);
  refuse(at < 0, 'a text of too few parts');
  return value.slice(at + separator.length);
}

function upper(value) {
  return value.toUpperCase();
}

function lower(value) {
  return value.toLowerCase();
}

function substring(value, from, to) {
  const part = value.slice(from, to);
  refuse(value.length < to || text(utf8(part)) !== part, 'a text that is too short, or half a character');
  return part;
}

function restOf(value, from) {
  const rest = value.slice(from);
  refuse(value.length < from || text(utf8(rest)) !== rest, 'a text that is too short, or half a character');
  return rest;
}

function pad(value, width, filler) {
  refuse(value.length > width, 'a text that is too long');
  return value.padStart(width, filler);
}

function number(value) {
  refuse(!/^[0-9]+$/.test(value), 'characters other than digits');
  return long(BigInt(value));
}

function hexNumber(value) {
  refuse(!/^[0-9a-fA-F]+$/.test(value), 'characters other than hexadecimal digits');
  return long(BigInt(`0x${value}`));
}

function long(value) {
  refuse(BigInt.asIntN(64, value) !== value, 'more than 64 bits');
  return value;
}

function lookup(value, table) {
  refuse(!table.has(value), 'a text that is not in the table');
  return table.get(value);
}

function added(...numbers) {
  return numbers.reduce((total, one) => long(total + BigInt(one)), 0n);
}

function degreesInteger(value) {
  return Number(value);
}

function halved(degrees, end, bits) {
  refuse(!(degrees >= -end && degrees <= end), 'degrees that are on no map');
  let [low, high, cell] = [-end, end, 0n];
  for (let bit = 0; bit < bits; bit++) {
    const middle = (low + high) / 2;
    const above = degrees >= middle;
    cell = (cell << 1n) | (above ? 1n : 0n);
    [low, high] = above ? [middle, high] : [low, middle];
  }
  return cell;
}

function inTurns(first, firstBits, second, secondBits) {
  let code = 0n;
  for (let turn = 0; turn < firstBits + secondBits; turn++) {
    const [value, bits] = turn % 2 ? [second, secondBits] : [first, firstBits];
    code = (code << 1n) | ((value >> BigInt(bits - 1 - Math.floor(turn / 2))) & 1n);
  }
  return code;
}

function geohash(latitude, longitude, n) {
  const bits = Math.floor((5 * n) / 2);
  const more = 5 * n - bits;
  const code = inTurns(halved(longitude, 180, more), more, halved(latitude, 90, bits), bits);
  let hash = '';
  for (let place = n - 1; place >= 0; place--)
    hash += '0123456789bcdefghjkmnpqrstuvwxyz'[Number((code >> BigInt(5 * place)) & 31n)];
  return hash;
}

function zOrder(first, second, bits) {
  const most = 1n << BigInt(bits);
  refuse(first < 0n || second < 0n || first >= most || second >= most, 'a number that does not fit');
  const digits = Math.ceil((2 * bits) / 8);
  const code = inTurns(first, bits, second, bits);
  return Uint8Array.from({ length: digits }, (_, at) => Number((code >> BigInt(8 * (digits - 1 - at))) & 255n));
}

function plus(value, n) {
  return long(value + BigInt(n));
}

function div(value, n) {
  return value / BigInt(n);
}

function mod(value, n) {
  return value % BigInt(n);
}

function floorMod(value, n) {
  return ((value % BigInt(n)) + BigInt(n)) % BigInt(n);
}

function floorDiv(value, n) {
  return (value - floorMod(value, n)) / BigInt(n);
}

function masked(value, mask) {
  return value & BigInt(mask);
}

function absolute(value) {
  return value < 0n && value !== -(1n << 63n) ? -value : value;
}

function absInt(value) {
  return value < 0n && value !== -(1n << 31n) ? -value : value;
}

function reverseLong(value) {
  return long((1n << 63n) - 1n - value);
}

function salted(salt, buckets) {
  refuse(salt < 0 || salt >= buckets, 'a salt outside its buckets');
  return BigInt(salt);
}

function natural(value) {
  refuse(value < 0n, 'a negative number');
  return value;
}

function words(value, all) {
  refuse(value < 0n || value >= all.length, 'a number without a word');
  return all[Number(value)];
}

function format(millis, pattern, zone) {
  const local = new Date(Number(millis) + zone);
  const units = {
    y: local.getUTCFullYear(),
    M: local.getUTCMonth() + 1,
    d: local.getUTCDate(),
    H: local.getUTCHours(),
    m: local.getUTCMinutes(),
    s: local.getUTCSeconds(),
  };
  refuse(!(units.y >= 1 && units.y <= 9999), 'a year outside 1 to 9999');
  return pattern.replace(/'([^']*)'|y+|M+|d+|H+|m+|s+|S+/g, (found, quoted) => {
    if (quoted !== undefined) return quoted || "'";
    if (found[0] === 'S') return String(local.getUTCMilliseconds()).padStart(3, '0').padEnd(9, '0').slice(0, found.length);
    const unit = found === 'yy' ? units.y % 100 : units[found[0]];
    return String(unit).padStart(found.length, '0');
  });
}

function truncate(millis, period, zone) {
  return millis - within(millis, period, zone);
}

function within(millis, period, zone) {
  return floorMod(millis + BigInt(zone), period);
}

function md5(value) {
  return createHash('md5').update(value).digest();
}

function sha1(value) {
  return createHash('sha1').update(value).digest();
}

function sha256(value) {
  return createHash('sha256').update(value).digest();
}

function crc32(value) {
  let crc = -1;
  for (const one of value) {
    crc ^= one;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return BigInt(~crc >>> 0);
}

function javaHash(value) {
  let hash = 0;
  for (let i = 0; i < value.length; i++) hash = (Math.imul(hash, 31) + value.charCodeAt(i)) | 0;
  return BigInt(hash);
}

function bytesHash(value) {
  let hash = 1;
  for (const one of value) hash = (Math.imul(hash, 31) + ((one << 24) >> 24)) | 0;
  return BigInt(hash);
}

function rotate(word, by) {
  return (word << by) | (word >>> (32 - by));
}

function little(value) {
  return value.reduce((word, one, place) => word | (one << (8 * place)), 0);
}

function murmur(value, seed = -1) {
  const m = 0x5bd1e995;
  const tail = value.length - (value.length % 4);
  let hash = seed ^ value.length;
  for (let at = 0; at < tail; at += 4) {
    const word = Math.imul(little(value.subarray(at, at + 4)), m);
    hash = Math.imul(hash, m) ^ Math.imul(word ^ (word >>> 24), m);
  }
  value.subarray(tail).forEach((one, place) => {
    hash ^= ((one << 24) >> 24) << (8 * place);
  });
  if (tail < value.length) hash = Math.imul(hash, m);
  hash = Math.imul(hash ^ (hash >>> 13), m);
  return BigInt(hash ^ (hash >>> 15));
}

function murmur3(value, seed = -1) {
  const mixed = (word) => Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
  const tail = value.length - (value.length % 4);
  let hash = seed;
  for (let at = 0; at < tail; at += 4) {
    hash = (Math.imul(rotate(hash ^ mixed(little(value.subarray(at, at + 4))), 13), 5) + 0xe6546b64) | 0;
  }
  hash ^= mixed(little(value.subarray(tail))) ^ value.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return BigInt(hash ^ (hash >>> 16));
}

function jenkins(value, seed = -1) {
  const state = new Int32Array(3).fill((0xdeadbeef + value.length + seed) | 0);
  for (let at = 0; at < value.length; at += 12) {
    for (let i = 0; i < 3; i++) state[i] += little(value.subarray(at + 4 * i, at + 4 * i + 4));
    const last = at + 12 >= value.length;
    (last ? [14, 11, 25, 16, 4, 14, 24] : [4, 6, 8, 16, 19, 4]).forEach((by, i) => {
      const x = last ? (i + 2) % 3 : i % 3;
      const [y, z] = [(x + 1) % 3, (x + 2) % 3];
      if (last) {
        state[x] = (state[x] ^ state[z]) - rotate(state[z], by);
      } else {
        state[x] = (state[x] - state[z]) ^ rotate(state[z], by);
        state[z] += state[y];
      }
    });
  }
  return BigInt(state[2]);
}

function opentsdbBucket(series, buckets) {
  if (series.length < 3 || series.subarray(0, 3).every((one) => one === 0)) return 0n;
  return absolute(mod(bytesHash(series), buckets));
}

function decimal(value, width) {
  const digits = String(value);
  if (width === undefined) return digits;
  refuse(value < 0n || digits.length > width, 'a number that does not fit');
  return digits.padStart(width, '0');
}

function stringBoolean(value) {
  return String(value);
}

function hex(value, n) {
  return n === undefined ? hexOf(value) : hexOf(head(value, Math.ceil(n / 2))).slice(0, n);
}

function hexInteger(value, n) {
  const digits = natural(value).toString(16);
  refuse(digits.length > n, 'a number that does not fit');
  return digits.padStart(n, '0');
}

function signedOf(value, n) {
  return BigInt.asIntN(8 * n, unsignedOf(value, n));
}

function unsignedOf(value, n) {
  return BigInt(`0x${hexOf(head(value, n))}`);
}

function head(value, n) {
  refuse(value.length < n, 'too few bytes');
  return value.subarray(0, n);
}

function low(value, width) {
  // OpenTSDB shifts a number of 32 bits.
  return Uint8Array.from({ length: width }, (_, i) => Number(BigInt.asIntN(32, value)) >>> (8 * (width - 1 - i)));
}

function fixed(value, width) {
  refuse(BigInt.asIntN(8 * width, value) !== value, 'a number that does not fit');
  return unsigned(BigInt.asUintN(8 * width, value), width);
}

function unsigned(value, width) {
  refuse(BigInt.asUintN(8 * width, value) !== value, 'a number that does not fit');
  return bytes(value.toString(16).padStart(2 * width, '0'));
}

function flipped(value, width) {
  const made = fixed(value, width);
  made[0] ^= 0x80;
  return made;
}

function fits32(value) {
  refuse(!Number.isFinite(Math.fround(value)) && Number.isFinite(value), 'a number that does not fit');
  return value;
}

function positive(value) {
  refuse(value < 0 || Object.is(value, -0), 'a negative number');
  return value;
}

function float32(value) {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  return Number.isNaN(value) ? bytes('7fc00000') : new Uint8Array(view.buffer);
}

function float64(value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return Number.isNaN(value) ? bytes('7ff8000000000000') : new Uint8Array(view.buffer);
}

function sortable(bits) {
  if (bits[0] > 127) return invert(bits);
  bits[0] ^= 0x80;
  return bits;
}

function incremented(value) {
  for (let i = value.length - 1; i >= 0; i--) {
    value[i] += 1;
    if (value[i] !== 0) break;
  }
  return value;
}

function truth(value, no, yes) {
  return value ? yes : no;
}

function noZero(value) {
  refuse(value.includes(0), 'a zero byte');
  return value;
}

function full(value) {
  refuse(value.length === 0, 'an empty value');
  return value;
}

function padTo(value, width, filler = 0) {
  refuse(value.length > width, 'a value that is too long');
  const padded = new Uint8Array(width).fill(filler);
  padded.set(value);
  return padded;
}

function padTail(value, width) {
  return padTo(noZero(value), width);
}

function padBlanks(value, width) {
  const plain = full(value).every((one) => one >= 32 && one < 128) && value.at(-1) !== 32;
  refuse(!plain, 'characters other than ASCII, or a trailing space');
  return padTo(value, width, 32);
}

function prefix(value, before) {
  return concat(before, value);
}

function append(value, after) {
  return concat(value, after);
}

function invert(value) {
  return value.map((one) => 255 - one);
}

function escaped(value) {
  return concat(...Array.from(value, (one) => (one < 2 ? [1, one + 1] : [one])), [0]);
}

function sevenBits(value) {
  const bits = Array.from(value, (one) => one.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,7}/g) ?? ['0'];
  return Uint8Array.from(groups, (group, i) =>
    Number.parseInt(group.padEnd(7, '0'), 2) | (i < groups.length - 1 ? 0x80 : 0));
}

function digitPairs(value) {
  const digits = String(absolute(value));
  const power = digits.length - 1;
  let paired = (power % 2 === 0 ? '0' : '') + digits.replace(/0+$/, '');
  if (paired.length % 2 === 1) paired += '0';
  return { power, pairs: paired.match(/../g).map(Number) };
}

function numericInteger(value) {
  if (value === 0n) return bytes('15');
  const { power, pairs } = digitPairs(value);
  const header = 0x17 + (power >> 1) + 1;
  const made = Uint8Array.from(pairs, (pair, i) => 2 * pair + (i < pairs.length - 1 ? 1 : 0));
  return value > 0n ? concat([header], made) : concat([0x2a - header], invert(made));
}

function nullFirst(value) {
  return value.length === 1 ? new Uint8Array(1) : value;
}

function phoenixDecimalInteger(value) {
  if (value === 0n) return bytes('80');
  const { power, pairs } = digitPairs(value);
  const biased = (power >> 1) + 65;
  if (value > 0n) return concat([biased | 0x80], pairs.map((pair) => pair + 1));
  return concat([~biased & 0x7f], pairs.map((pair) => 101 - pair), [102]);
}
