package dev.catnap.samples.guide;

import dev.catnap.Flavor;
import dev.catnap.WorkStealingScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Sessions whose state has no lock: each lives on one worker, and so does all that it starts. */
public final class PerCoreSessions {
  private static final int SESSIONS = 50;
  private static final int MESSAGES = 200;

  /** Fields of one worker's thread. */
  private static final class Session {
    private final WorkStealingScheduler scheduler;
    private final CountDownLatch answered;
    private String home = "";
    private int messages;
    private int reminders;
    private boolean moved;

    Session(WorkStealingScheduler scheduler, CountDownLatch answered) {
      this.scheduler = scheduler;
      this.answered = answered;
    }

    void receive() {
      here();
      messages++;
      scheduler.execute(this::answer); // from a worker: behind what that worker has queued
    }

    private void answer() {
      here();
      var ignored =
          scheduler.schedule(this::remind, 1, TimeUnit.MILLISECONDS); // this worker's own timer
    }

    private void remind() {
      here();
      reminders++;
      answered.countDown();
    }

    private void here() {
      String here = Thread.currentThread().getName();
      if (home.isEmpty()) {
        home = here;
      }
      moved |= !home.equals(here);
    }
  }

  public static void main(String[] args) throws Exception {
    try (var scheduler =
        WorkStealingScheduler.builder()
            .name("hello")
            .flavor(Flavor.THREAD_PER_CORE)
            .parallelism(3)
            .build()) {
      CountDownLatch answered = new CountDownLatch(SESSIONS * MESSAGES);
      List<Session> sessions = new ArrayList<>();
      for (int i = 0; i < SESSIONS; i++) {
        sessions.add(new Session(scheduler, answered));
      }
      for (int m = 0; m < MESSAGES; m++) {
        for (int i = 0; i < SESSIONS; i++) {
          Executor home = scheduler.confinedByKey("session " + i);
          home.execute(sessions.get(i)::receive);
        }
      }
      answered.await();
      System.out.println(
          sessions.stream().mapToInt(s -> s.messages).sum()
              + " messages and "
              + sessions.stream().mapToInt(s -> s.reminders).sum()
              + " reminders in "
              + SESSIONS
              + " sessions");
      System.out.println(
          sessions.stream().filter(s -> s.moved).count()
              + " sessions moved; they live on "
              + sessions.stream().map(s -> s.home).sorted().distinct().toList());
    }
  }
}
