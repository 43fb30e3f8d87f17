package rowscape.oracle;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;

/** Random values in which the awkward ones are common. */
final class Draw {
  private static final byte[] AWKWARD_BYTES = {0, 1, 9, 0x0a, 0x20, 0x2f, 0x30, 0x39, 0x5c, 0x61, 0x78, 0x7e, 0x7f,
      (byte) 0x80, (byte) 0xfe, (byte) 0xff};
  private static final int[][] CHARACTERS = {{0x20, 0x7e}, {0x20, 0x7e}, {0, 0x1f}, {0x7f, 0x24f}, {0x370, 0x3ff},
      {0x4e00, 0x9fff}, {0xe000, 0xffff}, {0x10000, 0x10ffff}};
  private static final double[] AWKWARD_DOUBLES = {0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE};

  final Random random;

  Draw(long seed) {
    random = new Random(seed);
  }

  /** From {@code least} to {@code most}, both included. */
  int between(int least, int most) {
    return least + random.nextInt(most - least + 1);
  }

  boolean oneIn(int times) {
    return random.nextInt(times) == 0;
  }

  byte[] bytes(int least, int most) {
    byte[] bytes = new byte[between(least, most)];
    random.nextBytes(bytes);
    for (int i = 0; i < bytes.length; i++) {
      if (oneIn(3)) {
        bytes[i] = AWKWARD_BYTES[random.nextInt(AWKWARD_BYTES.length)];
      }
    }
    return bytes;
  }

  String text(String alphabet, int least, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = between(least, most); i > 0; i--) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  /** Characters of any script; one text in eight holds half a surrogate pair. */
  String unicode(int most) {
    StringBuilder text = new StringBuilder();
    for (int i = between(0, most); i > 0; i--) {
      int[] range = CHARACTERS[random.nextInt(CHARACTERS.length)];
      text.appendCodePoint(between(range[0], range[1]));
    }
    if (oneIn(8)) {
      text.insert(between(0, text.length()), (char) between(0xd800, 0xdfff));
    }
    return text.toString();
  }

  /** A number of any magnitude; often a power of two or ten, or a neighbor of one. */
  long whole() {
    long any = random.nextLong() >> random.nextInt(64);
    return switch (random.nextInt(6)) {
      case 0 -> (1L << random.nextInt(64)) + between(-1, 1);
      case 1 -> (long) Math.pow(10, random.nextInt(19)) * (random.nextBoolean() ? 1 : -1) + between(-1, 1);
      default -> any;
    };
  }

  double real() {
    return switch (random.nextInt(5)) {
      case 0 -> (random.nextInt(2_000_001) - 1_000_000) / 100.0;
      case 1 -> Math.scalb(random.nextBoolean() ? 1.0 : -1.0, between(-1074, 1023));
      case 2 -> oneIn(3) ? AWKWARD_DOUBLES[random.nextInt(AWKWARD_DOUBLES.length)] : whole();
      default -> Double.longBitsToDouble(random.nextLong());
    };
  }

  BigDecimal decimal() {
    BigInteger digits = oneIn(4) ? BigInteger.TEN.pow(random.nextInt(45)).add(BigInteger.valueOf(between(-1, 1)))
        : new BigInteger(between(1, 160), random);
    return new BigDecimal(random.nextBoolean() ? digits : digits.negate(), between(-40, oneIn(5) ? 140 : 45));
  }
}
