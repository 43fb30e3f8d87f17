package rowscape.oracle;

import com.github.luben.zstd.ZstdOutputStream;
import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;

/** ZSTD as Hadoop's own codec writes it, which needs a native library: frames without a length before them. It imitates that codec. */
public final class PlainZstd extends Configured implements CompressionCodec {
  @Override
  public CompressionOutputStream createOutputStream(OutputStream out) {
    return new CompressionOutputStream(out) {
      private final ByteArrayOutputStream held = new ByteArrayOutputStream();

      @Override
      public void write(int value) {
        held.write(value);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) {
        held.write(bytes, offset, length);
      }

      @Override
      public void finish() throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        // A stream does not state how long it is.
        try (ZstdOutputStream packed = new ZstdOutputStream(frame)) {
          held.writeTo(packed);
        }
        frame.writeTo(out);
        held.reset();
      }

      @Override
      public void resetState() {
        held.reset();
      }
    };
  }

  @Override
  public CompressionOutputStream createOutputStream(OutputStream out, Compressor compressor) {
    return createOutputStream(out);
  }

  @Override
  public CompressionInputStream createInputStream(InputStream in) throws IOException {
    ZstdInputStream plain = new ZstdInputStream(in);
    return new CompressionInputStream(plain) {
      @Override
      public int read() throws IOException {
        return plain.read();
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return plain.read(bytes, offset, length);
      }

      @Override
      public void resetState() {}
    };
  }

  @Override
  public CompressionInputStream createInputStream(InputStream in, Decompressor decompressor) throws IOException {
    return createInputStream(in);
  }

  @Override
  public Class<? extends Compressor> getCompressorType() {
    return null;
  }

  @Override
  public Compressor createCompressor() {
    return null;
  }

  @Override
  public Class<? extends Decompressor> getDecompressorType() {
    return null;
  }

  @Override
  public Decompressor createDecompressor() {
    return null;
  }

  @Override
  public String getDefaultExtension() {
    return ".zst";
  }
}
