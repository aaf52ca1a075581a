package dev.catnap.benchmarks.workloads;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * One end of a kept-alive HTTP/1.1 connection, in blocking calls of the thread that uses it. The
 * request is for a number, the reply is the next one. Just enough of HTTP for that: it is there so
 * that schedulers are measured and not parsers.
 */
final class HttpConnection implements AutoCloseable {
  private static final String REQUEST = "GET /";
  private static final String REQUEST_END = " HTTP/1.1";
  private static final String OK = "HTTP/1.1 200 OK";
  private static final String LENGTH = "Content-Length: ";
  private static final String LINE_END = "\r\n";
  private static final int LONGEST_MESSAGE = 256;

  private final Socket socket;
  private final InputStream in;
  private final byte[] buffer = new byte[LONGEST_MESSAGE];
  private int next;
  private int end;

  HttpConnection(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    in = socket.getInputStream();
  }

  static HttpConnection to(int port) throws IOException {
    return new HttpConnection(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** The client's side: sends a request and waits for the reply. */
  long get(long number) throws IOException {
    write(REQUEST + number + REQUEST_END + LINE_END + "Host: localhost" + LINE_END + LINE_END);
    require(OK.equals(readLine()), "not OK");
    int length = -1;
    for (String header = readLine(); !header.isEmpty(); header = readLine()) {
      if (header.startsWith(LENGTH)) {
        length = Integer.parseInt(header.substring(LENGTH.length()));
      }
    }
    require(length > 0, "no length");
    StringBuilder body = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      body.append((char) read());
    }
    return Long.parseLong(body.toString());
  }

  /** The server's side: answers requests until the client goes. */
  void serve() throws IOException {
    while (next < end || fill()) {
      String request = readLine();
      require(request.startsWith(REQUEST) && request.endsWith(REQUEST_END), request);
      while (!readLine().isEmpty()) {} // its headers
      int cut = request.length() - REQUEST_END.length();
      String body = Long.toString(Long.parseLong(request.substring(REQUEST.length(), cut)) + 1);
      // One write, hence one packet: the client is woken once.
      write(OK + LINE_END + LENGTH + body.length() + LINE_END + LINE_END + body);
    }
  }

  private void write(String message) throws IOException {
    socket.getOutputStream().write(message.getBytes(ISO_8859_1));
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = read(); c != '\n'; c = read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  private int read() throws IOException {
    require(next < end || fill(), "ends within a message");
    return buffer[next++];
  }

  /** False: the other side has closed the connection. */
  private boolean fill() throws IOException {
    next = 0;
    end = in.read(buffer);
    return end > 0;
  }

  private static void require(boolean condition, @Nullable String otherwise)
      throws ProtocolException {
    if (!condition) {
      throw new ProtocolException(otherwise);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
