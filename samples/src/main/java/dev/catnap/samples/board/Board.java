package dev.catnap.samples.board;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Topics by name; one is there as soon as somebody asks for it. */
final class Board implements AutoCloseable {
  private final Map<String, Topic> topics = new ConcurrentHashMap<>();
  private volatile boolean closed;

  Topic topic(String name) {
    Topic topic = topics.computeIfAbsent(name, n -> new Topic());
    if (closed) {
      topic.close(); // close() may have come before it was in the map
    }
    return topic;
  }

  /** Nobody waits any more. */
  @Override
  public void close() {
    closed = true;
    topics.values().forEach(Topic::close);
  }
}
