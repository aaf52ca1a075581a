package dev.catnap.samples.demo;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * A small HTTP/1.1 server for GET requests on the loopback interface, in plain blocking code. Every
 * connection has a thread of its own and so has the loop that accepts them; give it a factory of
 * virtual threads and all of it runs on their scheduler.
 */
public final class LoopbackServer implements AutoCloseable {
  private static final int BACKLOG = 4096;
  private static final int LONGEST_LINE = 8192;
  private static final int MOST_HEADERS = 100;

  /** What answers a request. */
  @FunctionalInterface
  public interface Handler {
    /**
     * Answers one request, on the thread of its connection.
     *
     * @param path the path, without the query
     * @param query the parameters of the query, decoded
     * @return the reply
     */
    Reply handle(String path, Map<String, String> query);
  }

  /**
   * What a handler answers.
   *
   * @param status the HTTP status
   * @param body plain text
   */
  public record Reply(int status, String body) {}

  /** A request that this server does not understand. */
  private static final class BadRequest extends Exception {
    private static final long serialVersionUID = 1L;

    BadRequest(String message) {
      super(message);
    }
  }

  private final ServerSocket socket;
  private final ThreadFactory threads;
  private final Handler handler;
  private final Map<Socket, Thread> connections = new ConcurrentHashMap<>();
  private final Thread acceptor;

  private LoopbackServer(ServerSocket socket, ThreadFactory threads, Handler handler) {
    this.socket = socket;
    this.threads = threads;
    this.handler = handler;
    this.acceptor = threads.newThread(this::accept);
  }

  /**
   * Takes a port.
   *
   * @param port the port, or 0 for any that is free
   * @return the bound socket, for {@link #start}
   * @throws java.net.BindException if the port is taken
   * @throws IOException if there is no socket to be had
   */
  public static ServerSocket bind(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Starts to serve.
   *
   * @param socket a bound socket; the server closes it
   * @param threads makes the threads, not yet started
   * @param handler answers the requests
   * @return the server
   */
  public static LoopbackServer start(ServerSocket socket, ThreadFactory threads, Handler handler) {
    LoopbackServer server = new LoopbackServer(socket, threads, handler);
    server.acceptor.start();
    return server;
  }

  /**
   * The port that it listens to.
   *
   * @return the port
   */
  public int port() {
    return socket.getLocalPort();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        Thread thread = threads.newThread(() -> serve(connection));
        connections.put(connection, thread);
        thread.start();
      } catch (IOException e) {
        if (!socket.isClosed()) {
          System.err.println("cannot accept a connection: " + e.getMessage());
          Thread.yield();
        }
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      connection.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(connection.getInputStream(), 1024);
      while (serveOne(in, connection)) {}
    } catch (IOException e) {
      // The client has gone, or close() closed the connection: in both cases nobody is left to be
      // told.
    } finally {
      connections.remove(connection);
    }
  }

  /** Returns whether the connection stays open. */
  private boolean serveOne(InputStream in, Socket connection) throws IOException {
    boolean open = false;
    Reply reply;
    try {
      String request = readLine(in);
      if (request == null) {
        return false;
      }
      open = keepsOpen(in) && !request.endsWith("HTTP/1.0");
      reply = answer(request);
    } catch (BadRequest e) {
      open = false;
      reply = new Reply(400, e.getMessage() + "\n");
    }
    write(connection, reply, open);
    return open;
  }

  /** Reads the headers; the only one that matters is whether the client wants to send more. */
  private static boolean keepsOpen(InputStream in) throws IOException, BadRequest {
    boolean open = true;
    for (int i = 0; i < MOST_HEADERS; i++) {
      String header = readLine(in);
      if (header == null) {
        throw new BadRequest("the request ends within its headers");
      }
      if (header.isEmpty()) {
        return open;
      }
      open &= !header.equalsIgnoreCase("Connection: close");
    }
    throw new BadRequest("more than " + MOST_HEADERS + " headers");
  }

  private Reply answer(String request) throws BadRequest {
    String[] words = request.split(" ", -1);
    if (words.length != 3 || !words[2].startsWith("HTTP/1.")) {
      throw new BadRequest("not an HTTP/1.1 request: " + request);
    }
    if (!words[0].equals("GET")) {
      return new Reply(405, "only GET is served here\n");
    }
    int question = words[1].indexOf('?');
    String path = question < 0 ? words[1] : words[1].substring(0, question);
    try {
      return handler.handle(path, parameters(question < 0 ? "" : words[1].substring(question + 1)));
    } catch (IllegalArgumentException e) {
      return new Reply(400, e.getMessage() + "\n");
    }
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        parameters.put(
            pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), UTF_8));
      }
    }
    return parameters;
  }

  private static void write(Socket connection, Reply reply, boolean open) throws IOException {
    byte[] body = reply.body().getBytes(UTF_8);
    String head =
        ("HTTP/1.1 " + reply.status() + " " + reason(reply.status()) + "\r\n")
            + "Content-Type: text/plain; charset=utf-8\r\n"
            + ("Content-Length: " + body.length + "\r\n")
            + (open ? "\r\n" : "Connection: close\r\n\r\n");
    // One write, hence one packet: the client is woken once per reply.
    ByteArrayOutputStream all = new ByteArrayOutputStream(head.length() + body.length);
    all.writeBytes(head.getBytes(ISO_8859_1));
    all.writeBytes(body);
    all.writeTo(connection.getOutputStream());
  }

  private static String reason(int status) {
    return switch (status) {
      case 200 -> "OK";
      case 400 -> "Bad Request";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      default -> "Error";
    };
  }

  private static @Nullable String readLine(InputStream in) throws IOException, BadRequest {
    ByteArrayOutputStream line = new ByteArrayOutputStream(80);
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        return null;
      }
      if (line.size() == LONGEST_LINE) {
        throw new BadRequest("a line of more than " + LONGEST_LINE + " bytes");
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(ISO_8859_1);
  }

  /** Closes the port and all connections, and waits until the threads have ended. */
  @Override
  public void close() throws IOException {
    socket.close();
    try {
      acceptor.join();
      for (var connection : connections.entrySet()) {
        connection.getKey().close();
        connection.getValue().join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
