package dev.catnap.internal.sleep;

import static dev.catnap.internal.sleep.CounterWord.nobodySearches;
import static dev.catnap.internal.sleep.CounterWord.searching;
import static dev.catnap.internal.sleep.CounterWord.sleeping;

import dev.catnap.spi.MonotonicClock;
import dev.catnap.spi.Parker;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The sleep/wake protocol of one pool. Each step of README.md is a method of the same name here;
 * the worker's loop calls them in the order given there, and publishers call {@link #publish}.
 *
 * <p>Guarantees: no publish is stranded (G1), at most one unpark per publish and per FoundWork and
 * none while somebody searches (G3), sleepers park without a timeout (G4). Thread-safe; lock-free;
 * allocates nothing.
 */
public final class Sleep {
  private final CounterWord counters;
  private final Parker parker;
  private final WorkView work;
  private final AtomicReferenceArray<@Nullable Sleeper> sleepers;

  /** A hint: a worker that reads an old one searches a little more or less. */
  private volatile int searchLimit;

  /** Sleepers below this index exist; grows only. */
  private volatile int sleeperCount;

  /**
   * A pool without sleepers.
   *
   * @param capacity how many sleepers can be added
   * @param searchLimit how many workers may go through the search rounds at once
   */
  public Sleep(CounterWord counters, Parker parker, WorkView work, int capacity, int searchLimit) {
    this.counters = counters;
    this.parker = parker;
    this.work = work;
    this.sleepers = new AtomicReferenceArray<>(capacity);
    this.searchLimit = searchLimit;
  }

  /** How many workers may go through the search rounds at once from now on. */
  public void setSearchLimit(int limit) {
    searchLimit = limit;
  }

  /** Adds the sleeper of the next index. Called by one thread at a time. */
  public void add(Sleeper sleeper) {
    int index = sleeperCount;
    sleepers.set(index, sleeper);
    sleeperCount = index + 1;
  }

  // ---- publishers ------------------------------------------------------------------------------

  /**
   * Steps 2 to 4 of Publish, to be called after Push made a task visible in a queue of this pool.
   *
   * @return unparks made, 0 or 1
   */
  public int publish() {
    // PushFence. Pairs with SleepFence. Without it:
    //   T1 publisher                     T2 worker
    //   push (in the store buffer)
    //   reads sleeping = 0
    //                                    Register, Commit
    //                                    FinalCheck: sees no task
    //                                    parks
    //   push reaches memory, nobody looks
    VarHandle.fullFence();
    long w = readSleepers();
    return sleeping(w) > 0 && nobodySearches(w) ? wakeOne() : 0;
  }

  private long readSleepers() {
    long w = counters.read();
    return CounterWord.isSleepy(w) ? counters.markActive() : w;
  }

  /**
   * Claims one sleeper and unparks it. The lowest index first: surplus workers stay asleep, warm
   * ones are used, and no second shared structure is needed. If none can be claimed although some
   * were counted, they are between Register and the end of FinalCheck and see the task themselves,
   * or another waker was faster.
   */
  private int wakeOne() {
    int n = sleeperCount;
    for (int i = 0; i < n; i++) {
      Sleeper s = sleepers.get(i);
      if (s != null && wakeIfAsleep(s)) {
        return 1;
      }
    }
    return 0;
  }

  /** True: it slept, and was claimed and unparked. */
  public boolean wakeIfAsleep(Sleeper s) {
    if (!s.latch.isSleeping() || !s.latch.claim()) {
      return false;
    }
    counters.deregister();
    unpark(s);
    return true;
  }

  // ---- a worker without work -------------------------------------------------------------------

  /**
   * StartSearch.
   *
   * @return false: enough others search, skip the rounds and go on with {@link #announce}
   */
  public boolean startSearch() {
    return searching(counters.startSearch()) < searchLimit;
  }

  /** Announce: what is published from here on moves the JEC. */
  public void announce(Sleeper self) {
    self.announcedJec = counters.announce();
  }

  /**
   * Register.
   *
   * @return false: something was published since the announcement; back to {@link #announce}
   */
  public boolean register(Sleeper self) {
    return counters.tryRegister(self.announcedJec);
  }

  /**
   * Commit, SleepFence, FinalCheck, Park, and Withdraw where one of them says so. Comes after
   * Register: a latch that is claimable before it lets a waker decrement for a worker that was
   * never counted, and then a really sleeping one is invisible to every publisher.
   *
   * @return true: woken by somebody who claimed this worker; false: it withdrew. Either way it is
   *     counted as searching, and no longer as sleeping
   */
  public boolean sleep(Sleeper self) {
    if (!self.latch.commit()) {
      // Notified in between. The latch was never SLEEPING, so nobody else can decrement for us.
      counters.deregister();
      return false;
    }
    // SleepFence. Pairs with PushFence, see publish().
    VarHandle.fullFence();
    if (work.isWorkVisible() || work.isSurplus()) { // FinalCheck
      withdraw(self);
      return false;
    }
    while (self.latch.isSleeping()) { // Park
      parker.park(this);
      clearInterrupt();
    }
    return true;
  }

  /** Withdraw: a claim of oneself. If it fails, somebody woke us and has decremented already. */
  private void withdraw(Sleeper self) {
    if (self.latch.claim()) {
      counters.deregister();
    }
  }

  /**
   * FoundWork, and also the step of a searcher that leaves: no longer inactive, and if that was the
   * last searcher, the duty to wake is handed on.
   *
   * @return unparks made, 0 or 1
   */
  public int endSearch() {
    // The look at the queues comes after the decrement. The other way round:
    //   T1 searcher                      T2 publisher
    //   looks: nothing left
    //                                    push, fence, reads searching = 1: no wake
    //   inactive -= 1, runs its task for an hour; T2's task strands while others sleep
    long w = counters.endSearch();
    VarHandle.fullFence();
    return nobodySearches(w) && sleeping(w) > 0 && work.isWorkVisible() ? wakeOne() : 0;
  }

  // ---- addressed to one worker -----------------------------------------------------------------

  /** Makes {@code s} look at what is addressed to it, whatever it is doing. */
  public void sendNotification(Sleeper s) {
    switch (s.latch.sendNotification()) {
      case FROM_SLEEP -> {
        counters.deregister();
        unpark(s);
      }
      case FROM_SPARE -> unpark(s);
      case NOTHING_OWED -> {}
    }
  }

  /** Called by a notified worker before it looks; harmless for one that was not notified. */
  public void acknowledge(Sleeper self) {
    self.latch.acknowledge();
  }

  // ---- spares ----------------------------------------------------------------------------------

  /** False: it was notified and must look at that first. The caller is not counted inactive. */
  public boolean becomeSpare(Sleeper self) {
    return self.latch.becomeSpare();
  }

  /** True: the caller took {@code s} out of the spares; it runs once {@link #unpark} was called. */
  public boolean claimSpare(Sleeper s) {
    return s.latch.claimSpare();
  }

  /** Whether {@code s} may be running a task: not asleep, not a spare, not retired. */
  public boolean isAwake(Sleeper s) {
    return s.latch.isAwake();
  }

  /** Whether {@code s} is parked as a spare, or about to be. */
  public boolean isSpare(Sleeper s) {
    return s.latch.isSpare();
  }

  /**
   * Parks a spare until it is claimed or notified, or its keep-alive is over.
   *
   * @param clock what that goes by
   * @return false: the time is over, and it is still a spare; see {@link #retire}
   */
  public boolean parkSpare(Sleeper self, long keepAliveNanos, MonotonicClock clock) {
    long start = clock.nanoTime();
    while (self.latch.isSpare()) {
      long left = keepAliveNanos - (clock.nanoTime() - start);
      if (left <= 0) {
        return false;
      }
      parker.parkNanos(this, left);
      clearInterrupt();
    }
    return true;
  }

  /**
   * A spare whose keep-alive is over ends. Retiring and being claimed exclude each other by the
   * latch.
   *
   * @return false: claimed or notified at the last moment; it goes on. True: from here on the
   *     worker belongs to whoever revives it, and the caller must not touch it any more
   */
  public boolean retire(Sleeper self) {
    return self.latch.retire();
  }

  /** Whether {@code s} waits for somebody who revives it. */
  public boolean isRetired(Sleeper s) {
    return s.latch.isRetired();
  }

  /** True: the caller may give {@code s} a new thread. */
  public boolean revive(Sleeper s) {
    return s.latch.revive();
  }

  /** The thread of {@code self} is over. */
  public void end(Sleeper self) {
    self.latch.end();
  }

  /** Unparks the thread of a worker that the caller claimed. */
  public void unpark(Sleeper s) {
    Thread t = s.thread();
    if (t != null) {
      parker.unpark(t);
    }
  }

  /** A pending interrupt would make every park return at once: a spin. Tasks never see it. */
  private static void clearInterrupt() {
    boolean ignored = Thread.interrupted();
  }

  // ---- reading ---------------------------------------------------------------------------------

  /** Workers registered as asleep. */
  public int sleepingCount() {
    return sleeping(counters.read());
  }

  /** Whether no worker searches or sleeps. */
  public boolean nobodyIsInactive() {
    return CounterWord.inactive(counters.read()) == 0;
  }

  /** Whether a worker looks at every source of work before it sleeps, or there is none to wake. */
  public boolean somebodySearchesOrNobodySleeps() {
    long w = counters.read();
    return sleeping(w) == 0 || !nobodySearches(w);
  }

  /** Workers that look for work and are not registered as asleep. */
  public int searchingCount() {
    return Math.max(0, searching(counters.read()));
  }

  @Override
  public String toString() {
    return counters.toString();
  }
}
