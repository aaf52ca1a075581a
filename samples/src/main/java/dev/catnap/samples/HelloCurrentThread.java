package dev.catnap.samples;

import dev.catnap.CurrentThreadScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** A scheduler on the thread that calls it: tasks and timers share plain state, without a lock. */
public class HelloCurrentThread {
  private final List<String> log = new ArrayList<>(); // not thread-safe, and need not be

  public static void main(String[] args) throws Exception {
    new HelloCurrentThread().run();
  }

  private void run() throws Exception {
    try (var current = CurrentThreadScheduler.create()) {
      Thread self = Thread.currentThread();
      current.execute(() -> log.add("a task"));
      var timer = current.scheduler().schedule(() -> log.add("a timer"), 10, TimeUnit.MILLISECONDS);
      CompletableFuture<Boolean> answer =
          CompletableFuture.supplyAsync(() -> askAfter(timer)) // on some other thread
              .thenApplyAsync(
                  text -> log.add(text) && Thread.currentThread() == self, current); // here
      System.out.println("on the caller's thread: " + current.runUntil(answer));
      log.add("timer done: " + timer.isDone());
      current.execute(() -> log.add("and what is left runs in close()"));
    }
    log.forEach(System.out::println);
  }

  private static String askAfter(Future<?> timer) {
    try {
      timer.get();
      return "an answer from elsewhere";
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }
}
