// The operations of the vector files, by the functions of the package.

/** @typedef {typeof import('../../dist/npm/index.js')} Rowscape */
/** @typedef {Record<string, any>} Input */

/**
 * Half pairs of surrogates can't stand in JSON: such texts come as the bytes of their UTF-16 units.
 * @param {Input} input
 * @returns {string | null}
 */
function text({ text, utf16be }) {
  if (utf16be === undefined) return text;
  return (utf16be.match(/..../g) ?? [])
    .map((/** @type {string} */ unit) => String.fromCharCode(Number.parseInt(unit, 16)))
    .join('');
}

/** The value of a record, in the form its type is given in. @param {Rowscape} rowscape */
const asGiven = (rowscape) => (/** @type {Input} */ input) => {
  if ('bits' in input) return { bits: input.bits };
  if ('unscaled' in input) return { unscaled: input.unscaled, scale: input.scale };
  if ('nanosOfSecond' in input) return { millis: BigInt(input.millis), nanos: input.nanosOfSecond };
  if ('millis' in input) return BigInt(input.millis);
  if ('text' in input || 'utf16be' in input) return text(input);
  if ('bytes' in input) return rowscape.bytes.fromHex(input.bytes);
  return typeof input.value === 'string' ? BigInt(input.value) : input.value;
};

/**
 * Operations by `op`: the result is compared with `out`, unless it is undefined.
 * @param {Rowscape} rowscape
 * @returns {Record<string, (input: Input) => unknown>}
 */
export function operations(rowscape) {
  const { bytes, hash, salt, ordered, phoenix, limits } = rowscape;
  const hex = bytes.toHex;
  /** @param {Uint8Array[]} keys */
  const all = (keys) => keys.map(hex);
  const value = asGiven(rowscape);
  /** A missing one is an empty one. @param {string | null} digits */
  const key = (digits) => bytes.fromHex(digits ?? '');
  const row = (/** @type {string | null | undefined} */ text) =>
    text === null || text === undefined ? undefined : bytes.toBytesBinaryLenient(text);

  /** @param {import('../../dist/npm/index.js').Splits} splits */
  const regions = (splits) =>
    rowscape.regions(splits).map(({ start, stop }) => ({ start: hex(start), end: hex(stop) }));

  /** @param {Parameters<typeof ordered.encode>[0]} name */
  const orderedBytes = (name) => (/** @type {Input} */ input) =>
    hex(ordered.encode(name, value(input), { descending: input.order === 'DESCENDING' }));

  /** @param {(bytes: Uint8Array, seed: number) => number} hash */
  const number = (hash) => (/** @type {Input} */ input) => hash(key(input.bytes), input.seed);
  /** @param {(bytes: Uint8Array) => Uint8Array} digest */
  const digest = (digest) => (/** @type {Input} */ input) => hex(digest(key(input.bytes)));

  return {
    toBytes: (input) => {
      if (!input.order) return hex(bytes.toBytes(input.type, value(input)));
      return hex(phoenix.toBytes(input.type, value(input), { descending: input.order === 'DESC' }));
    },

    encodeNull: orderedBytes('null'),
    encodeNumeric: orderedBytes('numeric'),
    encodeInt8: orderedBytes('int8'),
    encodeInt16: orderedBytes('int16'),
    encodeInt32: orderedBytes('int32'),
    encodeInt64: orderedBytes('int64'),
    encodeFloat32: orderedBytes('float32'),
    encodeFloat64: orderedBytes('float64'),
    encodeString: orderedBytes('string'),
    encodeBlobVar: orderedBytes('blobVar'),
    encodeBlobCopy: orderedBytes('blobCopy'),

    MD5: digest(hash.md5),
    'MD5.upper': (input) => digest(hash.md5)(input).toUpperCase(),
    'MD5Hash.getMD5AsHex': digest(hash.md5),
    'SHA-1': digest(hash.sha1),
    'SHA-256': digest(hash.sha256),
    CRC32: number(hash.crc32),
    'Bytes.hashCode': number(hash.bytesHashCode),
    'Arrays.hashCode': number(hash.bytesHashCode),
    MurmurHash: number(hash.murmur),
    MurmurHash3: number(hash.murmur3),
    JenkinsHash: number(hash.jenkins),
    'String.hashCode': (input) => hash.stringHashCode(/** @type {string} */ (text(input))),

    toStringBinary: (input) => bytes.toStringBinary(key(input.bytes)),
    toBytesBinary: (input) => hex(bytes.toBytesBinaryLenient(/** @type {string} */ (text(input)))),
    roundTrip: (input) => hex(bytes.toBytesBinaryLenient(bytes.toStringBinary(key(input.bytes)))),

    calculateTheClosestNextRowKeyForPrefix: ({ prefix }) =>
      hex(bytes.prefixStop(prefix === null ? prefix : key(prefix))),
    setStartStopRowForPrefixScan: ({ prefix }) => {
      const scan = bytes.prefixScan(prefix === null ? null : key(prefix));
      return { ...scan, startRow: hex(scan.startRow), stopRow: hex(scan.stopRow) };
    },

    KeyValue: ({ row, family, qualifier, value, tag }) => {
      const size = rowscape.keyValueSize({ row, family, qualifier, value, tag });
      return {
        length: size.length,
        serializedSize: size.length,
        serializedSizeWithoutTags: size.withoutTags,
        keyLength: size.key,
        tagsLength: size.tags,
      };
    },

    firstRow: ({ algorithm }) => hex(rowscape.algorithmRows(algorithm).first),
    lastRow: ({ algorithm }) => hex(rowscape.algorithmRows(algorithm).last),
    split: ({ algorithm, n, first, last }) =>
      all(rowscape.splitPoints({ algorithm, regions: n, first: row(first), last: row(last) })),
    'Bytes.split': ({ start, end, inclusive, num }) =>
      all(bytes.split(key(start), key(end), num, { inclusive })),
    createTable: (input) => {
      if ('splitKeyLength' in input) return limits.splitKey(input.splitKeyLength, input.tableNameLength);
      if ('n' in input) return regions({ between: [key(input.start), key(input.end)], regions: input.n });
      return regions({ points: (input.splits ?? []).map(key) });
    },
    regionOf: ({ boundaries, row }) => rowscape.regionOf(boundaries.map(key), key(row)),
    put: ({ rowLength }) => limits.row(rowLength),
    scanFrom: ({ rowLength }) => limits.startRow(rowLength),

    getSaltingByte: (input) => hex(Uint8Array.of(salt.phoenixByte(key(input.key), input.buckets))),
    getSaltedKey: (input) => hex(salt.phoenixKey(key(input.key), input.buckets)),
    getSalteByteSplitPoints: ({ buckets }) => all(salt.phoenixSplitPoints(buckets)),
    getDistributedKey: (input) => hex(salt.hbasewdKey(key(input.key), input.buckets)),
    prefixKeyWithSalt: ({ saltWidth, buckets, metric, timestamp, tags }) =>
      hex(salt.opentsdbKey({ metric: key(metric), timestamp, tags: key(tags), buckets, width: saltWidth })),
  };
}
