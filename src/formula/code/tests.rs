use super::*;
use serde_json::json;

fn fields() -> Vec<Field> {
    serde_json::from_value(json!([
        { "name": "id", "type": "text" },
        { "name": "user_id", "type": "integer" },
        { "name": "ts", "type": "time", "format": "epoch-millis" },
        { "name": "day", "type": "time", "format": "yyyy-MM-dd", "zone": "+08:00" },
        { "name": "price", "type": "float" },
        { "name": "amount", "type": "decimal" },
        { "name": "ok", "type": "boolean" },
        { "name": "raw", "type": "bytes", "format": "hex" },
    ]))
    .expect("fields")
}

fn formula(code: &str) -> String {
    match read(code, &fields()) {
        Ok(found) => found.formula,
        Err(problem) => format!("{}: {}", problem.code, problem.args.get("found").map_or("", String::as_str)),
    }
}

#[test]
fn expressions_become_the_formula_of_the_same_bytes() {
    for (code, expected) in [
        ("Bytes.toBytes(id)", "id"),
        ("Bytes.add(Bytes.toBytes(id), Bytes.toBytes(userId))", "id + user_id.int64()"),
        (
            "MD5Hash.getMD5AsHex(Bytes.toBytes(id + userId)).substring(0, 4) + id",
            "join('', id, user_id.decimal()).md5().hex(4) + id",
        ),
        ("Math.abs((id + userId).hashCode()) % 6", "join('', id, user_id.decimal()).javaHash().abs().mod(6)"),
        ("(short) (id.hashCode() & 0x7FFF)", "id.javaHash().and(32767)"),
        ("Bytes.toBytes((short) (id.hashCode() & 0x7FFF))", "id.javaHash().and(32767).int16()"),
        ("Bytes.toBytes((short) id.hashCode())", "code.may-be-cut: (short) id.hashCode()"),
        ("Bytes.toBytes(Long.MAX_VALUE - ts)", "ts.millis().reverseLong().int64()"),
        (
            "Bytes.toBytes(9999999999999L - ts)",
            "ts.millis().reverseLong().plus(-9223362036854775808).int64()",
        ),
        (
            "String.format(\"%03d_%s\", Math.floorMod(id.hashCode(), 16), id)",
            "id.javaHash().floorMod(16).decimal(3) + '_' + id",
        ),
        (
            "new StringBuilder(id).reverse().append(\"|\").append(ts).toString()",
            "id.reverse() + '|' + ts.millis().decimal()",
        ),
        ("s\"${id}_$ts\"", "id + '_' + ts.millis().decimal()"),
        ("f\"${id.hashCode & 15}%02d-$id\"", "id.javaHash().and(15).decimal(2) + '-' + id"),
        ("DigestUtils.md5Hex(id).substring(28)", "id.md5().hex().substring(28, 32)"),
        ("Bytes.toBytes('a')", "x'00000061'"),
        ("Bytes.toBytes(1)", "x'00000001'"),
        ("new byte[]{(byte) (Math.abs(id.hashCode()) % 16)}", "id.javaHash().abs().mod(16).int8()"),
        ("new byte[]{(byte) (Math.floorMod(id.hashCode(), 200))}", "id.javaHash().floorMod(200).uint8()"),
        ("ByteBuffer.allocate(12).putInt(7).putLong(userId).array()", "x'00000007' + user_id.int64()"),
        (
            "ByteBuffer.allocate(16).putInt(7).putLong(userId).array()",
            "code.not-filled: ByteBuffer.allocate(16).putInt(7).putLong(userId).array()",
        ),
        ("new BigInteger(1, md5(id)).toString(16)", "code.unknown: md5(id)"),
        ("String.format(\"%032x\", new BigInteger(1, DigestUtils.md5(id)))", "id.md5().hex()"),
        ("ok ? id : \"x\"", "code.decides: ok ?"),
        ("Bytes.toBytes(price)", "price.float64()"),
        ("Bytes.toBytes(amount)", "amount.bigDecimal()"),
        ("Bytes.toBytes(ok)", "ok.boolean()"),
        ("Bytes.add(raw, Bytes.toBytes(id))", "raw + id"),
        ("id.trim()", "code.unknown: id.trim()"),
        ("Bytes.toBytes((int) (ts / 1000))", "ts.millis().div(1000).int32()"),
        ("\"\" + (int) (ts / 1000)", "code.may-be-cut: (int) (ts / 1000)"),
        ("id.hashCode() + userId.hashCode()", "code.unknown: userId.hashCode()"),
        ("id.hashCode() + 1", "code.may-overflow: id.hashCode() + 1"),
        ("new SimpleDateFormat(\"yyyyMMdd\").format(new Date(ts)) + id", "ts.format('yyyyMMdd') + id"),
        ("row.getString(\"id\") + \"_\" + order.getUserId()", "id + '_' + user_id.decimal()"),
        ("id.substring(0, 2) + unknownThing", "code.unknown: unknownThing"),
        ("String.join(\"#\", id, String.valueOf(userId))", "id + '#' + user_id.decimal()"),
        ("Seq(id, userId).mkString(\"-\")", "id + '-' + user_id.decimal()"),
        ("StringUtils.leftPad(String.valueOf(userId), 10, '0')", "user_id.decimal().pad(10, '0')"),
        ("new Random().nextInt(8) + \"_\" + id", "salt(8).decimal() + '_' + id"),
        ("id + 1 + 2", "id + '12'"),
        (
            "Bytes.toBytes(Hashing.murmur3_32_fixed().hashString(id, StandardCharsets.UTF_8).asInt())",
            "id.murmur3(0).int32()",
        ),
        (
            "Hashing.murmur3_32_fixed().hashBytes(raw).toString() + id",
            "code.unknown: Hashing.murmur3_32_fixed().hashBytes(raw).toString()",
        ),
        ("Hashing.md5().hashString(id, UTF_8).toString()", "id.md5().hex()"),
        ("1 + 2 + id", "'3' + id"),
        ("Bytes.toBytes(Bytes.toShort(DigestUtils.md5(id)) % 1000)", "id.md5().toShort().mod(1000).int32()"),
        ("Bytes.toBytes(Bytes.toLong(Bytes.toBytes(userId)))", "user_id.int64().toLong().int64()"),
        (
            "Long.parseLong(DigestUtils.md5Hex(id).substring(0, 8), 16) % 97 + \"_\" + id",
            "id.md5().hex(8).number(16).mod(97).decimal() + '_' + id",
        ),
        (
            "\"\" + Integer.parseInt(DigestUtils.md5Hex(id).substring(0, 8), 16)",
            "code.no-step: Integer.parseInt(DigestUtils.md5Hex(id).substring(0, 8), 16)",
        ),
        ("StringUtils.substringBefore(id, \":\")", "id.before(':')"),
        ("id.substring(3)", "id.substring(3)"),
    ] {
        assert_eq!(formula(code), expected, "{code}");
    }
}

#[test]
fn statements_and_methods_are_run() {
    for (code, expected) in [
        (
            "public static byte[] rowKey(String id, int userId, long ts) {\n  // newest first\n  byte[] prefix = Bytes.toBytes(userId);\n  return Bytes.add(prefix, Bytes.toBytes(id), Bytes.toBytes(Long.MAX_VALUE - ts));\n}",
            "user_id.int32() + id + ts.millis().reverseLong().int64()",
        ),
        (
            "StringBuilder sb = new StringBuilder();\nsb.append(id).append('_');\nsb.append(ts);\nPut put = new Put(Bytes.toBytes(sb.toString()));\nput.addColumn(cf, q, v);",
            "id + '_' + ts.millis().decimal()",
        ),
        (
            "MessageDigest md = MessageDigest.getInstance(\"MD5\");\nmd.update(id.getBytes(StandardCharsets.UTF_8));\nbyte[] digest = md.digest();\nbyte[] key = Bytes.add(Bytes.head(digest, 4), Bytes.toBytes(id));",
            "id.md5().raw(4) + id",
        ),
        (
            "byte[] key = new byte[12];\nBytes.putInt(key, 0, 5);\nBytes.putLong(key, 4, userId);\nreturn key;",
            "x'00000005' + user_id.int64()",
        ),
        (
            "class Keys {\n  private static final String SEP = \"|\";\n  private static final int BUCKETS = 32;\n  static int bucket(String s) { return (s.hashCode() & Integer.MAX_VALUE) % BUCKETS; }\n  public static String rowKey(String id, long ts) throws Exception {\n    return String.format(\"%02d\", bucket(id)) + SEP + id + SEP + ts;\n  }\n}",
            "id.javaHash().and(2147483647).mod(32).decimal(2) + '|' + id + '|' + ts.millis().decimal()",
        ),
        (
            "def rowKey(id: String, ts: Long): Array[Byte] = {\n  val salt = (Math.abs(id.hashCode % 8)).toByte\n  Array(salt) ++ Bytes.toBytes(id) ++ Bytes.toBytes(ts)\n}",
            "id.javaHash().mod(8).abs().int8() + id + ts.millis().int64()",
        ),
        (
            "String key = id;\nif (userId > 3) { key = key + userId; }\nreturn key;",
            "code.decides: if (userId > 3) { key = key + userId; }",
        ),
        ("byte a() { return 1; } byte b() { return 2; }", "code.several-keys: byte b() { return 2; }"),
        ("", "code.no-key: "),
    ] {
        assert_eq!(formula(code), expected, "{code}");
    }
}

#[test]
fn assumptions_are_named() {
    let found = read("Bytes.toBytes(userId)", &fields()).expect("a formula");
    assert_eq!(found.assumed.len(), 1);
    assert_eq!((found.assumed[0].name.as_str(), found.assumed[0].code), ("userId", "code.assumed-long"));
    let stated =
        read("byte[] rowKey(long userId) { return Bytes.toBytes(userId); }", &fields()).expect("a formula");
    assert!(stated.assumed.is_empty(), "{:?}", stated.assumed);
}

#[test]
fn hostile_code_ends_in_a_problem() {
    let deep = format!("{}id{}", "(".repeat(30_000), ")".repeat(30_000));
    let chain = format!("id{}", ".reverse()".repeat(6000));
    let sum = format!("id{}", " + id".repeat(12_000));
    let calls = "static String a(String x) { return b(x) + b(x); } static String b(String x) { return a(x) + a(x); } String rowKey(String id) { return a(id); }";
    let minus = format!("{}1", "-".repeat(60_000));
    let doubling = format!("String k = id;\n{}return k;", "k = k + k;\n".repeat(2000));
    for code in [
        deep.as_str(),
        &chain,
        &sum,
        calls,
        &minus,
        &doubling,
        "\"",
        "s\"${\"",
        "'",
        "/*",
        "((((",
        "a[[",
        "new",
        "x = = 1",
    ] {
        assert!(read(code, &fields()).is_err(), "{}", &code[..code.len().min(40)]);
    }
}
