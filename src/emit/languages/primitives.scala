private def key(parts: Array[Byte]*): Array[Byte] = {
  val made = concat(parts: _*)
  if (made.isEmpty || made.length > 32767) throw refused(s"a row key of ${made.length} bytes")
  made
}

private def concat(parts: Array[Byte]*): Array[Byte] = parts.toArray.flatten

private def endNull(separators: Int, ofNull: Int, parts: Array[Byte]*): Array[Byte] = {
  val all = concat(parts: _*)
  if (parts.last.length > ofNull) all
  else all.dropRight(all.reverse.take(separators).takeWhile(_ == 0).length)
}

private def utf8(text: String): Array[Byte] = text.getBytes(UTF_8)

private def text(bytes: Array[Byte]): String =
  try UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString
  catch { case _: CharacterCodingException => throw refused("bytes that are not text") }

private def bytes(hex: String): Array[Byte] = hex.grouped(2).map(pair => Integer.parseInt(pair, 16).toByte).toArray

private def refused(what: String): IllegalArgumentException = new IllegalArgumentException(what)

private def join(separator: String, parts: String*): String = parts.mkString(separator)

private def sized(value: String, width: Int): String =
  if (utf8(value).length == width) value else throw refused("a text of the wrong width")

private def sizedBytes(value: Array[Byte], width: Int): Array[Byte] =
  if (value.length == width) value else throw refused("a value of the wrong width")

private def reverse(value: String): String = new java.lang.StringBuilder(value).reverse().toString

private def parts(value: String, separator: String): Array[String] =
  value.split(java.util.regex.Pattern.quote(separator), -1)

private def reverseParts(value: String, separator: String): String = parts(value, separator).reverse.mkString(separator)

private def part(value: String, separator: String, n: Int): String = {
  val all = parts(value, separator)
  all.lift(if (n < 0) all.length + n else n).getOrElse(throw refused("a text of too few parts"))
}

private def before(value: String, separator: String): String = parts(value, separator)(0)

private def after(value: String, separator: String): String = {
  val at = value.indexOf(separator)
  if (at >= 0) value.substring(at + separator.length) else throw refused("a text of too few parts")
}

private def upper(value: String): String = value.toUpperCase(Locale.ROOT)

private def lower(value: String): String = value.toLowerCase(Locale.ROOT)

private def substring(value: String, from: Int, to: Int): String = {
  val part = value.substring(from, to)
  if (text(utf8(part)) == part) part else throw refused("half a character")
}

private def restOf(value: String, from: Int): String = {
  val rest = value.substring(from)
  if (text(utf8(rest)) == rest) rest else throw refused("half a character")
}

private def pad(value: String, width: Int, filler: String): String =
  if (value.length <= width) filler * (width - value.length) + value else throw refused("a text that is too long")

private def number(value: String): Long =
  if (value.matches("[0-9]+")) value.toLong else throw refused("characters other than digits")

private def hexNumber(value: String): Long =
  if (value.matches("[0-9a-fA-F]+")) java.lang.Long.parseLong(value, 16)
  else throw refused("characters other than hexadecimal digits")

private def lookup(value: String, table: Map[String, Long]): Long =
  table.getOrElse(value, throw refused("a text that is not in the table"))

private def added(numbers: Long*): Long = numbers.foldLeft(0L)((sum, one) => Math.addExact(sum, one))

private def degreesDecimal(value: BigDecimal): Double = value.doubleValue

private def degreesInteger(value: Long): Double = value.toDouble

private def halved(degrees: Double, end: Double, bits: Int): Long = {
  if (!(degrees >= -end && degrees <= end)) throw refused("degrees that are on no map")
  val (_, _, cell) = (0 until bits).foldLeft((-end, end, 0L)) { case ((low, high, before), _) =>
    val middle = (low + high) / 2
    if (degrees >= middle) (middle, high, before << 1 | 1) else (low, middle, before << 1)
  }
  cell
}

private def inTurns(first: Long, firstBits: Int, second: Long, secondBits: Int): Long =
  (0 until firstBits + secondBits).foldLeft(0L) { (code, turn) =>
    val bit = if (turn % 2 == 0) first >>> (firstBits - 1 - turn / 2) else second >>> (secondBits - 1 - turn / 2)
    code << 1 | bit & 1
  }

private def geohash(latitude: Double, longitude: Double, n: Int): String = {
  val bits = 5 * n / 2
  val more = 5 * n - bits
  val code = inTurns(halved(longitude, 180, more), more, halved(latitude, 90, bits), bits)
  (n - 1 to 0 by -1).map(place => "0123456789bcdefghjkmnpqrstuvwxyz".charAt((code >> 5 * place & 31).toInt)).mkString
}

private def zOrder(first: Long, second: Long, bits: Int): Array[Byte] = {
  if (first < 0 || second < 0 || first >> bits != 0 || second >> bits != 0) throw refused("a number that does not fit")
  ByteBuffer.allocate(8).putLong(inTurns(first, bits, second, bits)).array.takeRight((2 * bits + 7) / 8)
}

private def plus(value: Long, n: Long): Long = Math.addExact(value, n)

private def div(value: Long, n: Long): Long = value / n

private def mod(value: Long, n: Long): Long = value % n

private def floorMod(value: Long, n: Long): Long = Math.floorMod(value, n)

private def floorDiv(value: Long, n: Long): Long = Math.floorDiv(value, n)

private def masked(value: Long, mask: Long): Long = value & mask

private def absolute(value: Long): Long = Math.abs(value)

private def absInt(value: Long): Long = Math.abs(value.toInt).toLong

private def reverseLong(value: Long): Long = Math.subtractExact(Long.MaxValue, value)

private def salted(salt: Long, buckets: Long): Long =
  if (salt >= 0 && salt < buckets) salt else throw refused("a salt outside its buckets")

private def natural(value: Long): Long = if (value >= 0) value else throw refused("a negative number")

private def words(value: Long, all: Array[String]): String = all(Math.toIntExact(value))

private val formats = new ConcurrentHashMap[String, DateTimeFormatter]
private def format(millis: Long, pattern: String, zone: Long): String = {
  val second = Math.floorDiv(millis + zone, 1000L)
  val nanos = Math.floorMod(millis + zone, 1000L).toInt * 1000000
  val format = formats.computeIfAbsent(pattern, DateTimeFormatter.ofPattern(_))
  format.format(LocalDateTime.ofEpochSecond(second, nanos, ZoneOffset.UTC))
}

private def truncate(millis: Long, period: Long, zone: Long): Long = millis - within(millis, period, zone)

private def within(millis: Long, period: Long, zone: Long): Long = Math.floorMod(millis + zone, period)

private def md5(value: Array[Byte]): Array[Byte] = MessageDigest.getInstance("MD5").digest(value)

private def sha1(value: Array[Byte]): Array[Byte] = MessageDigest.getInstance("SHA-1").digest(value)

private def sha256(value: Array[Byte]): Array[Byte] = MessageDigest.getInstance("SHA-256").digest(value)

private def crc32(value: Array[Byte]): Long = {
  val crc = new CRC32
  crc.update(value, 0, value.length)
  crc.getValue
}

private def javaHash(value: String): Long = value.hashCode.toLong

private def bytesHash(value: Array[Byte]): Long = Arrays.hashCode(value).toLong

private def little(value: Array[Byte], from: Int, to: Int): Int =
  (from until Math.min(to, value.length)).foldLeft(0)((word, i) => word | (value(i) & 0xff) << 8 * (i - from))

private def murmur(value: Array[Byte], seed: Int = -1): Long = {
  val m = 0x5bd1e995
  val tail = value.length / 4 * 4
  var hash = seed ^ value.length
  for (i <- 0 until tail by 4) {
    val word = little(value, i, i + 4) * m
    hash = hash * m ^ (word ^ word >>> 24) * m
  }
  for (i <- tail until value.length) hash ^= value(i) << 8 * (i - tail)
  if (tail < value.length) hash *= m
  hash = (hash ^ hash >>> 13) * m
  (hash ^ hash >>> 15).toLong
}

private def murmur3(value: Array[Byte], seed: Int = -1): Long = {
  def mixed(word: Int): Int = Integer.rotateLeft(word * 0xcc9e2d51, 15) * 0x1b873593
  val tail = value.length / 4 * 4
  var hash = seed
  for (i <- 0 until tail by 4) hash = Integer.rotateLeft(hash ^ mixed(little(value, i, i + 4)), 13) * 5 + 0xe6546b64
  hash ^= mixed(little(value, tail, value.length)) ^ value.length
  hash = (hash ^ hash >>> 16) * 0x85ebca6b
  hash = (hash ^ hash >>> 13) * 0xc2b2ae35
  (hash ^ hash >>> 16).toLong
}

private def jenkins(value: Array[Byte], seed: Int = -1): Long = {
  val s = Array.fill(3)(0xdeadbeef + value.length + seed)
  for (at <- value.indices by 12) {
    for (i <- 0 until 3) s(i) += little(value, at + 4 * i, at + 4 * i + 4)
    val last = at + 12 >= value.length
    val turns = if (last) Array(14, 11, 25, 16, 4, 14, 24) else Array(4, 6, 8, 16, 19, 4)
    for ((by, i) <- turns.zipWithIndex) {
      val x = if (last) (i + 2) % 3 else i % 3
      val (y, z) = ((x + 1) % 3, (x + 2) % 3)
      if (last) s(x) = (s(x) ^ s(z)) - Integer.rotateLeft(s(z), by)
      else {
        s(x) = (s(x) - s(z)) ^ Integer.rotateLeft(s(z), by)
        s(z) += s(y)
      }
    }
  }
  s(2).toLong
}

private def opentsdbBucket(series: Array[Byte], buckets: Int): Long =
  if (series.length < 3 || series.take(3).forall(_ == 0)) 0 else Math.abs(Arrays.hashCode(series) % buckets).toLong

private def decimal(value: Long): String = value.toString

private def decimal(value: Long, width: Int): String = pad(natural(value).toString, width, "0")

private def stringDecimal(value: BigDecimal): String = value.toString

private def stringFloat(value: Double): String = java.lang.Double.toString(value)

private def stringBoolean(value: Boolean): String = value.toString

private def hex(value: Array[Byte]): String = value.map(one => "%02x".format(one & 0xff)).mkString

private def hex(value: Array[Byte], n: Int): String = hex(head(value, (n + 1) / 2)).take(n)

private def hexInteger(value: Long, n: Int): String = pad(natural(value).toHexString, n, "0")

private def signedOf(value: Array[Byte], n: Int): Long = BigInt(head(value, n)).toLong

private def unsignedOf(value: Array[Byte], n: Int): Long = BigInt(1, head(value, n)).toLong

private def head(value: Array[Byte], n: Int): Array[Byte] =
  if (value.length >= n) value.take(n) else throw refused("too few bytes")

private def low(value: Long, width: Int): Array[Byte] =
  // OpenTSDB shifts a number of 32 bits.
  Array.tabulate(width)(i => (value.toInt >>> 8 * (width - 1 - i)).toByte)

private def fixed(value: Long, width: Int): Array[Byte] = {
  val spare = 64 - 8 * width
  if (value << spare >> spare != value) throw refused("a number that does not fit")
  ByteBuffer.allocate(8).putLong(value).array.drop(8 - width)
}

private def unsigned(value: Long, width: Int): Array[Byte] = {
  if (value < 0 || value >>> 8 * width != 0) throw refused("a number that does not fit")
  ByteBuffer.allocate(8).putLong(value).array.drop(8 - width)
}

private def flipped(value: Long, width: Int): Array[Byte] = {
  val made = fixed(value, width)
  made(0) = (made(0) ^ 0x80).toByte
  made
}

private def fits32(value: Double): Double =
  if (value.toFloat.isInfinite && !value.isInfinite) throw refused("a number that does not fit") else value

private def positive(value: Double): Double =
  if (java.lang.Double.doubleToLongBits(value) < 0) throw refused("a negative number") else value

private def float32(value: Double): Array[Byte] =
  ByteBuffer.allocate(4).putInt(java.lang.Float.floatToIntBits(value.toFloat)).array

private def float64(value: Double): Array[Byte] =
  ByteBuffer.allocate(8).putLong(java.lang.Double.doubleToLongBits(value)).array

private def sortable(bits: Array[Byte]): Array[Byte] =
  if (bits(0) < 0) invert(bits) else (bits(0) ^ 0x80).toByte +: bits.tail

private def incremented(value: Array[Byte]): Array[Byte] = {
  var i = value.length - 1
  while (i >= 0 && { value(i) = (value(i) + 1).toByte; value(i) == 0 }) i -= 1
  value
}

private def bigDecimal(value: BigDecimal): Array[Byte] =
  concat(fixed(value.scale.toLong, 4), value.unscaledValue.toByteArray)

private def truth(value: Boolean, no: Array[Byte], yes: Array[Byte]): Array[Byte] = if (value) yes else no

private def noZero(value: Array[Byte]): Array[Byte] =
  if (value.contains(0.toByte)) throw refused("a zero byte") else value

private def full(value: Array[Byte]): Array[Byte] = if (value.isEmpty) throw refused("an empty value") else value

private def padTo(value: Array[Byte], width: Int): Array[Byte] =
  if (value.length > width) throw refused("a value that is too long") else Arrays.copyOf(value, width)

private def padTail(value: Array[Byte], width: Int): Array[Byte] = padTo(noZero(value), width)

private def padBlanks(value: Array[Byte], width: Int): Array[Byte] = {
  if (value.exists(_ < ' ') || full(value).last == ' ') throw refused("characters other than ASCII, or a trailing space")
  padTo(value, width).map(one => if (one == 0) ' '.toByte else one)
}

private def prefix(value: Array[Byte], before: Array[Byte]): Array[Byte] = concat(before, value)

private def append(value: Array[Byte], after: Array[Byte]): Array[Byte] = concat(value, after)

private def invert(value: Array[Byte]): Array[Byte] = value.map(one => (~one).toByte)

private def escaped(value: Array[Byte]): Array[Byte] =
  value.flatMap(one => if (one == 0 || one == 1) Array(1.toByte, (one + 1).toByte) else Array(one)) :+ 0.toByte

private def sevenBits(value: Array[Byte]): Array[Byte] = {
  val bits = value.map(one => pad((one & 0xff).toBinaryString, 8, "0")).mkString
  val groups = if (bits.isEmpty) Array("0") else bits.grouped(7).toArray
  val made = groups.map(group => (Integer.parseInt(group.padTo(7, '0').mkString, 2) | 0x80).toByte)
  made.init :+ (made.last & 0x7f).toByte
}

private def digitPairs(number: BigDecimal): (Long, Array[Int]) = {
  val power = number.precision.toLong - number.scale - 1
  val digits = (if (Math.floorMod(power, 2L) == 0) "0" else "") + number.unscaledValue.abs.toString
  (power, (if (digits.length % 2 == 1) digits + "0" else digits).grouped(2).map(_.toInt).toArray)
}

private def numericInteger(value: Long): Array[Byte] = numericDecimal(BigDecimal.valueOf(value))

private def numericDecimal(value: BigDecimal): Array[Byte] =
  if (value.signum == 0) bytes("15")
  else {
    val number = value.stripTrailingZeros
    if (number.precision > 31) throw refused("too many digits")
    val (power, pairs) = digitPairs(number)
    val exponent = Math.floorDiv(power, 2L) + 1
    val header = if (power < 0 || exponent > 10) {
      if (Math.abs(exponent) > 240) throw refused("an exponent out of range")
      val size = unsigned(Math.abs(exponent), 1)
      if (power < 0) concat(bytes("16"), invert(size)) else concat(bytes("22"), size)
    } else unsigned(0x17 + exponent, 1)
    val made = concat(header, (pairs.init.map(2 * _ + 1) :+ 2 * pairs.last).map(_.toByte))
    if (number.signum > 0) made else (0x2a - made(0)).toByte +: invert(made.tail)
  }

private def phoenixDecimalInteger(value: Long): Array[Byte] = phoenixDecimalDecimal(BigDecimal.valueOf(value))

private def nullFirst(value: Array[Byte]): Array[Byte] = if (value.length == 1) Array(0.toByte) else value

private def phoenixDecimalDecimal(value: BigDecimal): Array[Byte] =
  if (value == null) Array.emptyByteArray
  else if (value.signum == 0) bytes("80")
  else {
    val number = value.stripTrailingZeros
    val (power, pairs) = digitPairs(number)
    val exponent = Math.floorDiv(power, 2L)
    if (number.precision > 38 || exponent < -63 || exponent > 61) throw refused("a number that Phoenix would change")
    if (number.signum > 0) (exponent + 65 | 0x80).toByte +: pairs.map(pair => (pair + 1).toByte)
    else {
      val made = (~(exponent + 65) & 0x7f).toByte +: pairs.map(pair => (101 - pair).toByte)
      if (made.length < 21) made :+ 0x66.toByte else made
    }
  }
