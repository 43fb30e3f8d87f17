// The interface of the npm package, as it is built.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as rowscape from '../../../dist/npm/index.js';

const { bytes, hash, ordered, parseDesign, phoenix, regionOf, regions, RowscapeError, splitPoints } =
  rowscape;
const hex = bytes.toHex;

/** @param {object} [more] */
const calls = (more = {}) =>
  parseDesign({
    rowscape: 1,
    fields: [
      { name: 'phone', type: 'text' },
      { name: 'at', type: 'time', format: 'yyyy-MM-dd HH:mm' },
      { name: 'n', type: 'integer' },
      { name: 'raw', type: 'bytes', format: 'escaped' },
    ],
    rowkey: "phone + '_' + at.format('yyyyMMdd')",
    splits: { points: ['3', '6'] },
    ...more,
  });

/** Asserts that work throws an error with the expected members. @param {() => unknown} work @param {object} expected */
const refused = (work, expected) =>
  assert.throws(work, (error) => {
    assert.ok(error instanceof RowscapeError && error instanceof Error, String(error));
    const found = Object.fromEntries(Object.keys(expected).map((name) => [name, Reflect.get(error, name)]));
    assert.deepEqual(found, expected);
    return true;
  });

test('the version is that of package.json', () => {
  const path = new URL('../../../package.json', import.meta.url);
  assert.equal(rowscape.version(), JSON.parse(readFileSync(path, 'utf8')).version);
});

test('a record becomes its key, whatever kind of values it has', () => {
  const design = calls({ rowkey: "phone + at.format('HHmm') + n.int32() + raw" });
  const key = design.encode({
    phone: 17,
    at: new Date('2024-05-01T10:30Z'),
    n: -2n,
    raw: Uint8Array.of(0, 255),
  });
  assert.equal(bytes.toStringBinary(key), '171030\\xFF\\xFF\\xFF\\xFE\\x00\\xFF');
  const texts = design.encode({ phone: '17', at: '2024-05-01 10:30', n: '-2', raw: '\\x00\\xFF' });
  assert.deepEqual(texts, key);
});

test('half a surrogate pair becomes a question mark, as Java writes it', () => {
  const design = calls({ rowkey: 'phone' });
  assert.equal(hex(design.encode({ phone: 'a\ud800b' })), '613f62');
  assert.equal(hex(design.encode({ phone: '\ud83d\ude00' })), 'f09f9880');
});

test('a record that gets no key says which field is to blame', () => {
  const design = calls();
  refused(() => design.encode({ phone: '1' }), { code: 'field.missing', field: 'at', line: undefined });
  refused(() => design.encode({ phone: '1', at: 'today' }), { code: 'field.not-a-time', field: 'at' });
  refused(() => design.encode({ phone: '1', at: new Date(Number.NaN) }), { code: 'field.not-a-time' });
  refused(() => design.encode(/** @type {any} */ ({ phone: ['1'], at: new Date() })), {
    code: 'value.wrong-kind',
    path: 'phone',
  });
  refused(() => design.encode(/** @type {any} */ (null)), { code: 'value.wrong-kind', path: 'record' });
});

test('columns become keys in order, those refused are null and counted', () => {
  const keys = calls().encodeColumns({
    phone: ['a', 'b', 'c'],
    at: [new Date('2024-05-01'), null, new Date('2024-05-03')],
  });
  const found = Array.from(keys, (key) => key && bytes.toStringBinary(key));
  assert.deepEqual(found, ['a_20240501', null, 'c_20240503']);
  assert.equal(keys.length, 3);
  assert.equal(keys.refused, 1);
  assert.deepEqual(keys.problems[0].place, { field: 'at', row: 2 });
});

test('many rows come out as one by one', () => {
  const design = calls();
  const phone = Array.from({ length: 10_000 }, (_, row) => `${row * 7919}é`);
  const at = phone.map((_, row) => new Date(row * 3_600_000));
  const keys = design.encodeColumns({ phone, at });
  for (const row of [0, 1, 4095, 4096, 9999]) {
    assert.deepEqual(keys.at(row), design.encode({ phone: phone[row], at: at[row] }));
  }
});

test('columns that do not fit together are refused', () => {
  const design = calls();
  refused(() => design.encodeColumns({ phone: ['a', 'b'], at: [new Date()] }), {
    code: 'input.unequal-columns',
  });
  refused(() => design.encodeColumns({ phone: ['a', 'b'], at: [new Date(), '2024-05-01 10:30'] }), {
    code: 'value.mixed-kinds',
    field: 'at',
  });
  assert.equal(design.encodeColumns({}).length, 0);
});

test('a design says all that is wrong with it, with paths and columns', () => {
  refused(() => calls({ rowkey: 'phone.revers()' }), {
    code: 'formula.unknown-step-near',
    path: 'rowkey',
    column: 7,
    name: 'RowscapeError',
  });
  try {
    calls({ rowkey: 'phone.revers()', splits: { points: ['a', 'a'] } });
    assert.fail();
  } catch (error) {
    assert.ok(error instanceof RowscapeError);
    assert.deepEqual(error.problems.map(({ place }) => place.path).sort(), ['rowkey', 'splits']);
    assert.match(error.message, /^(rowkey, column 7|splits): /);
  }
  for (const wrong of /** @type {any[]} */ (['', '{', 'null', [], null, undefined, 5, {}])) {
    assert.throws(() => parseDesign(wrong), RowscapeError);
  }
});

test('of several tables the one asked for is taken, by name or number', () => {
  const document = {
    rowscape: 1,
    fields: [{ name: 'id', type: 'text' }],
    tables: [
      { name: 'a', rowkey: 'id' },
      { name: 'b', rowkey: 'id.reverse()' },
    ],
  };
  const key = (/** @type {string | number | undefined} */ table) =>
    bytes.toStringBinary(parseDesign(document, { table }).encode({ id: 'xy' }));
  assert.deepEqual([key(undefined), key('b'), key(1)], ['xy', 'yx', 'yx']);
  refused(() => parseDesign(document, { table: 'c' }), { code: 'design.no-such-table' });
  refused(() => parseDesign(document, { table: 2 }), { code: 'design.no-such-table' });
});

test('a design prints itself in normal form, which is the same design', () => {
  const design = calls();
  const again = parseDesign(JSON.stringify(design));
  assert.equal(again.rowkey, design.rowkey);
  assert.deepEqual(again.toJSON(), design.toJSON());
});

test('a key is read back into what it tells of its record', () => {
  const design = calls({
    rowkey: "phone.reverse() + '_' + n.int32() + at.format('yyyy').md5().hex(4)",
  });
  const { record, parts, fields, readings, more } = design.decode(
    design.encode({ phone: '105', n: 7, at: '2024-05-02 10:30' }),
  );
  assert.equal(record.phone, '105');
  assert.equal(record.n, '7');
  assert.equal(record.raw, null);
  assert.deepEqual(
    parts.map(({ span }) => span),
    [
      [0, 3],
      [3, 4],
      [4, 8],
      [8, 12],
    ],
  );
  assert.equal(fields.find(({ name }) => name === 'phone')?.lost, null);
  assert.match(fields.find(({ name }) => name === 'raw')?.lost?.message ?? '', /./);
  assert.deepEqual([readings.length, more], [1, false]);
  refused(() => calls().decode('no-date-in-here'), {});
  const pair = calls({ rowkey: "at.format('yyyy')" }).collision();
  assert.equal(pair?.key.length, 4);
  assert.notDeepEqual(pair?.records[0], pair?.records[1]);
  assert.equal(pair?.rows, null);
  assert.equal(calls({ rowkey: 'n.int64()' }).collision(), null);
  const joined = calls({ rowkey: 'phone + n' });
  assert.deepEqual(joined.collision({ phone: ['7', '13', '134'], n: [7, 47, 7] }), {
    records: [
      { phone: '13', n: '47' },
      { phone: '134', n: '7' },
    ],
    key: '1347',
    rows: [1, 2],
  });
  assert.equal(joined.collision({ phone: ['7', '13'], n: [7, 47] })?.rows, null);
});

test('a design that was freed says so, and may be freed by using', () => {
  const design = calls();
  design[Symbol.dispose]();
  for (const use of [() => design.encode({}), () => design.regionOf('a'), () => design.splitPoints]) {
    refused(use, { code: 'value.freed' });
  }
  design.free();
});

test('regions begin at their split points', () => {
  const design = calls();
  assert.deepEqual(
    ['', '2~', '3', '5', '6', '\\xFF'].map((key) => design.regionOf(key)),
    [0, 0, 1, 1, 2, 2],
  );
  assert.deepEqual(design.splitPoints.map(bytes.toStringBinary), ['3', '6']);
  const [first, , last] = regions({ points: ['6', bytes.fromHex('33')] });
  assert.deepEqual(
    [first, last].map(({ start, stop }) => [hex(start), hex(stop)]),
    [
      ['', '33'],
      ['36', ''],
    ],
  );
  assert.equal(regionOf(['m', 'c'], 'd'), 1);
  assert.equal(regionOf([], 'd'), 0);
  refused(() => regionOf(['a', 'a'], 'd'), { code: 'split.duplicate-key' });
  refused(() => splitPoints({ algorithm: 'HexStringSplit', regions: Number.NaN }), {
    code: 'value.wrong-kind',
  });
  refused(() => calls({ splits: { sample: 4 } }).splitPoints, { code: 'split.needs-records' });
});

test('what HBase would silently misread is refused, unless asked for', () => {
  refused(() => bytes.toBytesBinary('\\xff'), { code: 'row.lower-case-hex', column: 1, endColumn: 5 });
  assert.equal(hex(bytes.toBytesBinaryLenient('\\xff')), '786666');
  assert.equal(hex(bytes.toBytesBinary('a\\xFF')), '61ff');
});

test('values are taken by type, or refused with what is wanted', () => {
  assert.equal(hex(bytes.toBytes('long', 2n ** 63n - 1n)), '7fffffffffffffff');
  assert.equal(hex(bytes.toBytes('double', { bits: 'fff8000000000001' })), 'fff8000000000001');
  assert.equal(
    hex(bytes.toBytes('BigDecimal', '1.50')),
    hex(bytes.toBytes('BigDecimal', { unscaled: 150n, scale: 2 })),
  );
  assert.equal(hex(ordered.encode('numeric', null)), '05');
  assert.equal(hex(phoenix.toBytes('DATE', new Date(0))), '8000000000000000');
  assert.equal(hex(phoenix.toBytes('TIMESTAMP', { millis: 0, nanos: 1 })), '800000000000000000000001');
  for (const [type, value] of /** @type {[any, any][]} */ ([
    ['short', 40_000],
    ['int', 1.5],
    ['int', '1'],
    ['long', 2 ** 60],
    ['long', 2n ** 63n],
    ['boolean', 1],
    ['float', 'x'],
    ['BigDecimal', 'x'],
    ['BigDecimal', { unscaled: '1.5', scale: 1 }],
    ['BigDecimal', { unscaled: '15', scale: 2 ** 40 }],
    ['String', null],
    ['String', 5],
    ['nothing', 5],
    [undefined, undefined],
  ])) {
    assert.throws(() => bytes.toBytes(type, value), RowscapeError, `${type} ${value}`);
  }
  refused(() => phoenix.toBytes('TIMESTAMP', { millis: 0, nanos: 1e9 }), { code: 'json.wrong-type' });
});

/** @type {any[]} */
const wrong = [undefined, null, 5, {}, [], Symbol.iterator, () => 1, 2n ** 80n, '\\x', new Date(Number.NaN)];

test('what is no argument of a function is refused with a code, or taken', async () => {
  const { compare, existingTables, migration, reshape, sweep } = rowscape;
  const design = calls();
  const columns = { phone: ['105'], at: ['2024-05-02 12:00'] };
  /** @type {Record<string, (value: any) => unknown>} */
  const uses = {
    parseDesign,
    'parseDesign, options': (value) => parseDesign(design.toJSON(), value),
    encode: (value) => design.encode(value),
    'a value': (value) => design.encode({ phone: value, at: value }),
    encodeColumns: (value) => design.encodeColumns(value),
    'a column': (value) => design.encodeColumns({ phone: value }),
    decode: (value) => design.decode(value),
    regionOf: (value) => design.regionOf(value),
    plan: (value) => design.plan(value),
    'a query': (value) => design.plan({ where: { phone: value } }),
    findings: (value) => design.findings(value),
    emit: (value) => design.emit(value),
    analyze: (value) => design.analyze(value),
    'analyze, options': (value) => design.analyze('phone,at\n', value),
    signal: (value) => design.analyze('phone,at\n', { signal: value }),
    onProgress: (value) => design.analyze('phone,at\n', { onProgress: value }),
    name: (value) => design.analyze('phone,at\n', { name: value }),
    compare: (value) => compare(value, columns),
    'compare, a design': (value) => compare([design, value], columns),
    'compare, columns': (value) => compare([design, design], value),
    sweep: (value) => sweep(design, columns, value),
    migration: (value) => migration(value, design),
    existingTables,
    reshape: (value) => reshape(value, value),
    splitPoints,
    regions,
    'regionOf, points': (value) => regionOf(value, 'a'),
    toHex: (value) => bytes.toHex(value),
    fromHex: (value) => bytes.fromHex(value),
    toStringBinary: (value) => bytes.toStringBinary(value),
    toBytesBinary: (value) => bytes.toBytesBinary(value),
    stringHashCode: (value) => hash.stringHashCode(value),
    murmur3: (value) => hash.murmur3(value),
  };
  for (const [name, use] of Object.entries(uses)) {
    for (const value of wrong) {
      try {
        await use(value);
      } catch (error) {
        assert.ok(error instanceof RowscapeError && error.code, `${name}, ${typeof value}: ${error}`);
        assert.notEqual(error.code, 'wasm.failed', `${name}, ${typeof value}: ${error}`);
      }
    }
  }
});

test('a length that is no whole number is refused', () => {
  const { keyValueSize, limits } = rowscape;
  const sound = { row: 1, family: 1, qualifier: 1, value: 1 };
  assert.equal(keyValueSize({ ...sound, tag: null }).tags, 0);
  for (const length of [Number.NaN, 1.5, -1, Number.POSITIVE_INFINITY, '1']) {
    const wrong = /** @type {any} */ (length);
    for (const lengths of [wrong, { ...sound, row: wrong }, { ...sound, tag: wrong }])
      assert.throws(() => keyValueSize(lengths), { code: 'value.wrong-kind' }, String(length));
    assert.throws(() => limits.row(wrong), { code: 'value.wrong-kind' });
    assert.throws(() => limits.startRow(wrong), { code: 'value.wrong-kind' });
    assert.throws(() => limits.splitKey(1, wrong), { code: 'value.wrong-kind' });
  }
});

test('a number that cannot be is named as it was given', async () => {
  const design = calls({ arrival: 'at' });
  const varied = calls({ rowkey: 'bucket(phone, 8).decimal(1) + phone', splits: { sample: 4 } });
  const { keyValueSize, limits, salt } = rowscape;
  const columns = { phone: ['1', '2'], at: ['2024-05-01 10:00', '2024-05-01 11:00'], n: [1, 2] };
  const row = { metric: Uint8Array.of(0, 0, 1), tags: new Uint8Array(6), timestamp: 1, buckets: 2, width: 1 };
  const study = { rowscape: 1, fields: [{ name: 'phone', type: 'text' }] };
  /** @type {Record<string, (number: any) => unknown>} */
  const uses = {
    regions: (number) => regions({ algorithm: 'HexStringSplit', regions: number }),
    splitPoints: (number) => splitPoints({ between: ['a', 'z'], regions: number }),
    salts: (number) => regions({ salts: number }),
    'split, num': (number) => bytes.split('a', 'z', number),
    'phoenixByte, buckets': (number) => salt.phoenixByte('a', number),
    'hbasewdKey, buckets': (number) => salt.hbasewdKey('a', number),
    'opentsdbKey, timestamp': (number) => salt.opentsdbKey({ ...row, timestamp: number }),
    'opentsdbKey, width': (number) => salt.opentsdbKey({ ...row, width: number }),
    'keyValueSize, row': (number) => keyValueSize({ row: number, family: 1, qualifier: 1, value: 1 }),
    'limits, row': (number) => limits.row(number),
    'limits, startRow': (number) => limits.startRow(number),
    'limits, splitKey': (number) => limits.splitKey(number, 1),
    timeBuckets: (number) => design.analyze('phone,at,n\n1,2024-05-01 10:00,1\n', { timeBuckets: number }),
    'sweep, values': (number) => {
      const { variants } = rowscape.sweep(varied, columns, { parameter: 'regions', values: [number] });
      for (const { problem } of variants) if (problem) throw new RowscapeError(problem);
    },
    'sweep, number': (number) =>
      rowscape.sweep(varied, columns, { parameter: 'number', number, values: [4] }),
    'suggest, regions': (number) => rowscape.suggest(study, 'phone\n1\n', { regions: number }),
    'suggest, tables': (number) => rowscape.suggest(study, 'phone\n1\n', { tables: number }),
  };
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, -1, 1.5, 9_999_999_999, 2 ** 53 + 2, 5n, '5'];
  for (const [name, use] of Object.entries(uses)) {
    for (const number of odd) {
      // Java takes any number of buckets and any int as a timestamp, and so do these.
      if (/buckets$|timestamp$/.test(name) && number === -1) continue;
      const at = `${name}, ${typeof number} ${number}`;
      const error = await Promise.resolve()
        .then(() => use(number))
        .then(
          () => assert.fail(`${at} is taken`),
          (error) => error,
        );
      assert.ok(error instanceof RowscapeError && error.code !== 'wasm.failed', `${at}: ${error}`);
      if (typeof number !== 'number' || name === 'sweep, number' || name === 'suggest, tables') continue;
      assert.ok(error.message.replaceAll(',', '').includes(String(number)), `${at}: ${error.message}`);
    }
  }
});

test('arguments of the wrong kind are refused, never a trap', () => {
  const all = { ...bytes, ...hash, ...rowscape.salt, ...rowscape.limits, regionOf, regions, splitPoints };
  const { keyValueSize, algorithmRows } = rowscape;
  for (const work of Object.values({ ...all, keyValueSize, algorithmRows })) {
    for (const a of wrong) {
      for (const b of wrong) {
        try {
          Reflect.apply(work, undefined, [a, b, a, b]);
        } catch (error) {
          assert.ok(!(error instanceof WebAssembly.RuntimeError), `${work.name}: ${error}`);
          assert.notEqual(Reflect.get(Object(error), 'code'), 'wasm.failed', `${work.name}: ${error}`);
        }
      }
    }
  }
});

test('text is hashed as UTF-8', () => {
  assert.equal(hex(hash.md5('')), 'd41d8cd98f00b204e9800998ecf8427e');
  assert.equal(hash.stringHashCode('\ud800'), 0xd800);
  assert.equal(hash.crc32('é'), hash.crc32(Uint8Array.of(0xc3, 0xa9)));
});

test('a query becomes the fewest ranges, with what drops the other rows', () => {
  const design = calls();
  const plan = design.plan({ where: { phone: '134', at: { from: '2024-05-01', to: '2024-06-01' } } });
  assert.equal(plan.kind, 'scan');
  assert.deepEqual(
    plan.ranges.map(({ start, stop }) => [start, stop]),
    [['134_20240501', '134_20240601']],
  );
  assert.equal(bytes.toStringBinary(plan.ranges[0].startBytes), '134_20240501');
  assert.deepEqual(plan.regions, [0]);
  assert.equal(design.plan({ where: { n: 5 } }).kind, 'fullScan');
});

test('a query that asks what cannot be says so, and the design stays', () => {
  const design = calls();
  for (const [where, code, path] of /** @type {const} */ ([
    [{ phon: '134' }, 'formula.unknown-field-near', 'queries[0].where.phon'],
    [{ n: { from: 9, to: 5 } }, 'design.empty-range', 'queries[0].where.n'],
    [{ n: 'many' }, 'json.wrong-type', 'queries[0].where.n'],
    [{ at: 'the first of May' }, 'design.not-a-time', 'queries[0].where.at'],
  ])) {
    assert.throws(
      () => design.plan({ where }),
      (error) => {
        assert.ok(error instanceof RowscapeError, String(error));
        assert.deepEqual([error.code, error.path], [code, path], error.message);
        return true;
      },
    );
  }
  refused(() => design.plan(/** @type {any} */ ('134')), { code: 'value.wrong-kind' });
  assert.equal(design.plan({ where: { phone: '134' } }).kind, 'scan');
});

test('findings come with their evidence and an edit that answers them', () => {
  const sequential = calls({
    rowkey: "at.format('yyyyMMddHHmm') + phone",
    arrival: 'at',
    splits: { sample: 4 },
  });
  const [first] = sequential.findings();
  assert.deepEqual([first.code, first.severity], ['RS101', 'bad']);
  assert.ok(first.message && first.why && first.remedy && first.fix?.rowkey);
  const hours = Array.from({ length: 500 }, (_, row) => `2024-05-01 ${String(row % 24).padStart(2, '0')}:00`);
  hours.sort();
  const columns = { phone: Array.from(hours, (_, row) => 13_400_000_000 + row * 7), at: hours };
  const found = sequential.findings(columns).map(({ code }) => code);
  assert.ok(found.includes('RS101'), String(found));
  const mended = calls({ rowkey: first.fix.rowkey, arrival: 'at', splits: first.fix.splits });
  assert.ok(!mended.findings(columns).some(({ code }) => code === 'RS101'));
});

test('growth that cannot be is refused with its place', () => {
  for (const growth of [
    { rowsPerDay: -1 },
    { rowsPerDay: 1e300 },
    { rowsPerDay: 2 ** 53 - 1, months: 120 },
  ]) {
    assert.throws(
      () => calls({ growth }),
      (error) => {
        assert.ok(error instanceof RowscapeError, String(error));
        assert.equal(error.path, 'growth.rowsPerDay', error.message);
        return true;
      },
    );
  }
});

test('a plan with records has a cost and the page after its limit', () => {
  const design = parseDesign({
    rowscape: 1,
    fields: [
      { name: 'host', type: 'text' },
      { name: 'n', type: 'integer' },
    ],
    rowkey: 'host.terminated() + n.int32()',
    splits: { points: ['b', 'c'] },
  });
  const columns = {
    host: Array.from({ length: 300 }, (_, n) => 'abc'[n % 3]),
    n: Array.from({ length: 300 }, (_, n) => n),
  };
  const query = { where: { host: 'b' }, limit: 20 };
  assert.equal(design.plan(query).leastRpcs, 1);
  assert.equal(design.plan(query).cost, undefined);
  const plan = design.plan(query, { columns });
  assert.deepEqual([plan.cost?.estimated, plan.cost?.rpcs, plan.cost?.rows], [true, 1, 20]);
  assert.equal(plan.next?.after, 'b\\x00\\x00\\x00\\x00:');
  const next = design.plan(query, { columns, after: plan.next?.after, cost: { caching: 5 } });
  assert.deepEqual([next.ranges[0].start, next.cost?.rpcs], ['b\\x00\\x00\\x00\\x00:\\x00', 4]);
  assert.deepEqual(design.plan(query, { after: plan.next?.after }).ranges, next.ranges);
  refused(() => design.plan(query, { after: 'a' }), { code: 'plan.after-outside' });
  refused(() => design.plan(query, { columns, cost: { caching: 0 } }), { code: 'plan.wrong-cost' });
});

test('the records of each kind come from a source of their own', async () => {
  const design = parseDesign({
    rowscape: 1,
    fields: [
      { name: 'type', type: 'text' },
      { name: 'id', type: 'integer' },
      { name: 'user', type: 'text' },
    ],
    kinds: {
      order: { when: { field: 'type', is: ['order'] }, rowkey: "user + '|o|' + id.decimal(3)" },
      profile: { when: { field: 'type', is: ['profile'] }, fields: ['user'], rowkey: "user + '|p'" },
    },
    splits: { points: ['b'] },
  });
  const regionsOf = async (/** @type {any} */ source) => {
    const { report } = await design.analyze(source);
    return {
      rows: report.rows,
      keys: report.keys.count,
      regions: report.regions.map((region) => region.rows),
    };
  };
  const both = 'type,id,user\norder,1,a\norder,2,b\nprofile,,a\nprofile,,c\n';
  const apart = { order: 'id,user\n1,a\n2,b\n', profile: new Blob(['user,more\na,x\nc,y\n']) };
  assert.deepEqual(await regionsOf(both), { rows: 4, keys: 4, regions: [2, 2] });
  assert.deepEqual(await regionsOf(apart), await regionsOf(both));
  const summary = await design.summarize(apart);
  assert.deepEqual(
    (await summary.analyze()).report.regions.map((region) => region.rows),
    [2, 2],
  );
  await assert.rejects(design.analyze({ ordr: 'id,user\n1,a\n' }), /order, profile/);
});
