package rowscape.oracle;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;

/** A row key formula, made a second time out of Java's and HBase's own classes: the twin the package is judged by. */
final class Formula {
  private static final int LONGEST_ROW = 32767;

  /** A field of the records. */
  static final class Field {
    String name;
    String type;
    String format;
    String zone;
  }

  /** A source and the steps that follow it. Exactly one of the first members says what the source is. */
  static final class Part {
    String field;
    String text;
    String bytes;
    /** The separator of joined parts. */
    String join;
    /** How many buckets the parts make. */
    Integer buckets;
    /** True if the parts are added up. */
    boolean sum;
    /** True if it stands for the bytes of all following parts. */
    boolean rest;
    List<Part> parts;
    List<Call> steps = List.of();
  }

  /** A step with its arguments, numbers or texts. */
  static final class Call {
    String name;
    List<Object> arguments;

    int number(int index) {
      return (int) whole(index);
    }

    long whole(int index) {
      return arguments.get(index) instanceof String text ? Long.parseLong(text) : ((Number) arguments.get(index)).longValue();
    }

    String text(int index) {
      return (String) arguments.get(index);
    }

    boolean given(int index) {
      return index < arguments.size();
    }
  }

  /** A time and the offset of its field. */
  record Moment(long millis, ZoneOffset offset) {
    OffsetDateTime local() {
      return Instant.ofEpochMilli(millis).atOffset(offset);
    }
  }

  /** A step for which no twin has been written here. */
  static final class NoTwin extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoTwin(String step) {
      super("no twin in Steps.java for the step " + step);
    }
  }

  private final List<Field> fields;
  private final List<Part> parts;

  Formula(List<Field> fields, List<Part> parts) {
    this.fields = fields;
    this.parts = parts;
  }

  /** The row key of a record. Throws where a row has to be refused. */
  byte[] key(List<String> record) {
    byte[] key = new byte[0];
    for (int i = parts.size() - 1; i >= 0; i--) {
      Part part = parts.get(i);
      Object source = part.rest ? key : source(part, record);
      key = Bytes.add(Steps.bytes(stepped(part, source)), key);
    }
    Steps.require(key.length > 0 && key.length <= LONGEST_ROW, "row length");
    return key;
  }

  private Object value(Part part, List<String> record) {
    return stepped(part, source(part, record));
  }

  private static Object stepped(Part part, Object source) {
    Object value = source;
    for (Call call : part.steps) {
      value = Steps.apply(call, value);
    }
    return value;
  }

  private Object source(Part part, List<String> record) {
    if (part.field != null) {
      for (int i = 0; i < fields.size(); i++) {
        if (fields.get(i).name.equals(part.field)) {
          return read(fields.get(i), record.get(i));
        }
      }
      throw new IllegalStateException("no field " + part.field);
    }
    if (part.text != null) {
      return part.text;
    }
    if (part.bytes != null) {
      return Request.bytes(part.bytes);
    }
    if (part.sum) {
      return part.parts.stream().mapToLong(one -> Steps.whole(value(one, record))).reduce(0, Math::addExact);
    }
    String joined = part.parts.stream().map(one -> new String(Steps.bytes(value(one, record)), StandardCharsets.UTF_8))
        .collect(Collectors.joining(part.join == null ? "" : part.join));
    return part.buckets == null ? joined : (Object) Math.floorMod(joined.hashCode(), part.buckets);
  }

  static Object read(Field field, String text) {
    return switch (field.type) {
      case "text" -> text;
      case "integer" -> Long.parseLong(text);
      case "time" -> time(field, text);
      case "bytes" -> bytes(field.format, text);
      case "float" -> Double.parseDouble(text);
      case "decimal" -> new BigDecimal(text);
      case "boolean" -> Boolean.parseBoolean(text);
      default -> throw new IllegalStateException("no type " + field.type);
    };
  }

  private static byte[] bytes(String format, String text) {
    return switch (format) {
      case "hex" -> Request.bytes(text);
      case "uuid" -> {
        UUID uuid = UUID.fromString(text);
        yield Bytes.add(Bytes.toBytes(uuid.getMostSignificantBits()), Bytes.toBytes(uuid.getLeastSignificantBits()));
      }
      default -> Bytes.toBytesBinary(text);
    };
  }

  private static Moment time(Field field, String text) {
    ZoneOffset offset = field.zone == null ? ZoneOffset.UTC : ZoneOffset.of(field.zone);
    return new Moment(switch (field.format) {
      case "epoch-millis" -> Long.parseLong(text);
      case "epoch-seconds" -> Math.multiplyExact(Long.parseLong(text), 1000);
      case "iso8601" -> OffsetDateTime.parse(text).toInstant().toEpochMilli();
      default -> LocalDateTime.parse(text, DateTimeFormatter.ofPattern(field.format)).toInstant(offset).toEpochMilli();
    }, offset);
  }
}
