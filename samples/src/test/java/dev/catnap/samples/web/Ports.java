package dev.catnap.samples.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/** Whether this JVM listens: once a port is closed, another process may get it. */
public final class Ports {
  private static final Path SOCKETS = Path.of("/proc/self/net");
  private static final Path OWN = Path.of("/proc/self/fd");
  private static final String LISTENS = "0A";

  private Ports() {}

  /** Where there is no such /proc: whether anybody listens. */
  public static boolean isOurs(int port) {
    try {
      if (!Files.isDirectory(SOCKETS) || !Files.isDirectory(OWN)) {
        return isAnybodys(port);
      }
      Set<String> listeners = listeners("tcp", port);
      listeners.addAll(listeners("tcp6", port));
      listeners.retainAll(ownSockets());
      return !listeners.isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isAnybodys(int port) {
    try {
      new Socket(InetAddress.getLoopbackAddress(), port).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** {@code sl local_address rem_address st tx_queue:rx_queue tr:tm retrnsmt uid timeout inode}. */
  private static Set<String> listeners(String protocol, int port) throws IOException {
    Path table = SOCKETS.resolve(protocol);
    Set<String> inodes = new HashSet<>();
    if (Files.exists(table)) {
      String end = ":%04X".formatted(port);
      for (String line : Files.readAllLines(table)) {
        String[] columns = line.strip().split(" +", -1);
        if (columns[1].endsWith(end) && columns[3].equals(LISTENS)) {
          inodes.add("socket:[" + columns[9] + "]");
        }
      }
    }
    return inodes;
  }

  private static Set<String> ownSockets() throws IOException {
    Set<String> own = new HashSet<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(OWN)) {
      for (Path file : files) {
        own.add(target(file));
      }
    }
    return own;
  }

  /** Empty if it was closed meanwhile. */
  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
