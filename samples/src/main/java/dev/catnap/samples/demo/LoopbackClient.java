package dev.catnap.samples.demo;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.util.Locale;

/**
 * One connection to a {@link LoopbackServer}, in plain blocking code on the thread of its caller.
 * The JDK's own client brings a selector thread and an executor; this one adds no thread to what is
 * measured.
 */
public final class LoopbackClient implements AutoCloseable {
  private static final String LENGTH = "content-length:";

  private final Socket socket;
  private final InputStream in;

  /**
   * Connects.
   *
   * @param port the server's port
   * @throws IOException if there is no server
   */
  public LoopbackClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream(), 1024);
  }

  /**
   * Sends a request and waits for the reply.
   *
   * @param path path and query, encoded
   * @return the reply
   * @throws IOException if the connection breaks or the reply is not HTTP
   */
  public LoopbackServer.Reply get(String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(ISO_8859_1));
    String status = readLine();
    if (!status.startsWith("HTTP/1.1 ") || status.length() < 12) {
      throw new ProtocolException("not a status line: " + status);
    }
    int length = -1;
    for (String header = readLine(); !header.isEmpty(); header = readLine()) {
      if (header.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Integer.parseInt(header.substring(LENGTH.length()).strip());
      }
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the reply ends within its body");
    }
    return new LoopbackServer.Reply(
        Integer.parseInt(status.substring(9, 12)), new String(body, UTF_8));
  }

  private String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(80);
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
