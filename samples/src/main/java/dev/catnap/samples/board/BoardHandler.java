package dev.catnap.samples.board;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.catnap.samples.web.Calls;
import dev.catnap.samples.web.Refusal;
import dev.catnap.samples.web.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Answers all requests in plain blocking code. Jetty takes a handler for one that blocks unless it
 * says otherwise, and gives those to virtual threads.
 */
final class BoardHandler extends Handler.Abstract {
  static final String USAGE =
      """
      POST /topics/NAME                     posts a message
      GET  /topics/NAME?after=N&within=MS   waits for those after the Nth
      GET  /stats                           the pool
      """;

  private static final int LONGEST_MESSAGE = 10_000;
  private static final int LONGEST_WAIT = 60_000;
  private static final Pattern TOPIC = Pattern.compile("/topics/([a-z0-9-]{1,64})");

  private final Board board;
  private final Calls calls;

  BoardHandler(Board board, Calls calls) {
    this.board = board;
    this.calls = calls;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    calls.begin();
    try {
      Reply reply = answer(request);
      response.setStatus(reply.status());
      response.getHeaders().put("Content-Type", "text/plain; charset=utf-8");
      response.getHeaders().put(Reply.RAN_ON, Thread.currentThread().toString());
      Content.Sink.write(response, true, reply.text(), callback);
      return true;
    } finally {
      calls.end();
    }
  }

  private Reply answer(Request request) throws InterruptedException {
    try {
      String path = Request.getPathInContext(request);
      Matcher topic = TOPIC.matcher(path);
      if (topic.matches()) {
        return onTopic(request, topic.group(1));
      }
      return switch (path) {
        case "/" -> Reply.ok(USAGE);
        case "/stats" -> Reply.ok(calls.describe());
        default -> throw new Refusal(404, "nothing at " + path);
      };
    } catch (Refusal refusal) {
      return refusal.reply();
    }
  }

  private Reply onTopic(Request request, String name) throws InterruptedException, Refusal {
    return switch (request.getMethod()) {
      case "POST" -> new Reply(201, board.topic(name).post(message(request)) + "\n");
      case "GET" -> read(request, board.topic(name));
      default -> throw new Refusal(405, "only GET and POST are served here");
    };
  }

  /** Waits for the client, however slowly it sends. */
  private static String message(Request request) throws Refusal {
    try (InputStream body = Content.Source.asInputStream(request)) {
      // One byte more than allowed tells a body that is too long, without reading all of it.
      byte[] message = body.readNBytes(LONGEST_MESSAGE + 1);
      if (message.length > LONGEST_MESSAGE) {
        throw new Refusal(413, "more than " + LONGEST_MESSAGE + " bytes");
      }
      String text = new String(message, UTF_8);
      if (text.isEmpty() || text.contains("\n")) {
        throw new Refusal(400, "a message is one line");
      }
      return text;
    } catch (IOException e) {
      throw new Refusal(400, "the message breaks off: " + e.getMessage());
    }
  }

  private static Reply read(Request request, Topic topic) throws InterruptedException, Refusal {
    int after = number(request, "after", Integer.MAX_VALUE);
    int within = number(request, "within", LONGEST_WAIT);
    List<String> messages = topic.after(after, TimeUnit.MILLISECONDS.toNanos(within));
    return messages.isEmpty() ? new Reply(204, "") : Reply.ok(String.join("\n", messages) + "\n");
  }

  private static int number(Request request, String name, int highest) throws Refusal {
    String value = Request.extractQueryParameters(request).getValue(name);
    if (value == null) {
      return 0;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= 0 && number <= highest) {
        return number;
      }
    } catch (NumberFormatException e) {
      // told below, as any other
    }
    throw new Refusal(400, name + " must be 0.." + highest + ": " + value);
  }
}
