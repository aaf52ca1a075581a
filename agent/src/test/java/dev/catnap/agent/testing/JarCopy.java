package dev.catnap.agent.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.function.BiFunction;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes jars. */
public final class JarCopy {
  private JarCopy() {}

  /** With other contents; null: without that entry. */
  public static Path of(Path original, Path copy, BiFunction<String, byte[], byte[]> change)
      throws IOException {
    try (OutputStream file = Files.newOutputStream(copy);
        ZipOutputStream out = new ZipOutputStream(file)) {
      entries(original, out, change);
    }
    return copy;
  }

  static void entries(Path original, ZipOutputStream out, BiFunction<String, byte[], byte[]> change)
      throws IOException {
    try (JarFile jar = new JarFile(original.toFile())) {
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        byte[] content = change.apply(entry.getName(), jar.getInputStream(entry).readAllBytes());
        if (content != null && !entry.isDirectory()) {
          out.putNextEntry(new ZipEntry(entry.getName()));
          out.write(content);
        }
      }
    }
  }

  /** Not compressed, as jars are inside an executable jar. */
  static void stored(ZipOutputStream out, String name, byte[] content) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    CRC32 crc = new CRC32();
    crc.update(content);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(content.length);
    entry.setCompressedSize(content.length);
    entry.setCrc(crc.getValue());
    out.putNextEntry(entry);
    out.write(content);
  }
}
