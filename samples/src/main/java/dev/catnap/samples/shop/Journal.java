package dev.catnap.samples.shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/** All orders, a line each, in a file. A virtual thread that waits for the lock holds no worker. */
final class Journal implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Path file;
  private final Writer writer;
  private int orders;

  private Journal(Path file, int orders, Writer writer) {
    this.file = file;
    this.orders = orders;
    this.writer = writer;
  }

  /** Continues the journal that is there, or begins one. */
  static Journal open(Path file) throws IOException {
    int orders = Files.exists(file) ? Files.readAllLines(file).size() : 0;
    return new Journal(file, orders, Files.newBufferedWriter(file, UTF_8, CREATE, APPEND));
  }

  /** Returns the number of the order. */
  int append(String order) throws IOException {
    lock.lock();
    try {
      int number = orders + 1;
      writer.write(number + " " + order + "\n");
      writer.flush();
      orders = number;
      return number;
    } finally {
      lock.unlock();
    }
  }

  String readAll() throws IOException {
    return Files.readString(file);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
