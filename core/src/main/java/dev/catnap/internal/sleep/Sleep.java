package dev.catnap.internal.sleep;

import static dev.catnap.internal.sleep.CounterWord.inactive;
import static dev.catnap.internal.sleep.CounterWord.nobodySearches;
import static dev.catnap.internal.sleep.CounterWord.searching;
import static dev.catnap.internal.sleep.CounterWord.sleeping;

import dev.catnap.spi.MonotonicClock;
import dev.catnap.spi.Parker;
import dev.catnap.spi.WakeRule;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The sleep/wake protocol of one pool. Each step of README.md is a method of the same name here;
 * the worker's loop calls them in the order given there, and publishers call {@link #publish}.
 *
 * <p>Guarantees: no publish is stranded (G1), at most one unpark per publish and per FoundWork and
 * none while somebody searches, unless tasks from outside pile up (G3; another {@link WakeRule} has
 * another bound), sleepers park without a timeout (G4). Thread-safe; lock-free; allocates nothing.
 */
public final class Sleep {
  private final CounterWord counters;
  private final Parker parker;
  private final WorkView work;
  private final AtomicReferenceArray<@Nullable Sleeper> sleepers;
  private final AwakeSet awake;
  private final boolean wakesPerInsert;

  /** A hint: a worker that reads an old one searches a little more or less. */
  private volatile int searchLimit;

  /** Sleepers below this index exist; grows only. */
  private volatile int sleeperCount;

  /** A pool without sleepers, whose publishers wake {@link WakeRule#ONE_AT_A_TIME}. */
  public Sleep(CounterWord counters, Parker parker, WorkView work, int capacity, int searchLimit) {
    this(counters, parker, work, capacity, searchLimit, WakeRule.ONE_AT_A_TIME);
  }

  /**
   * A pool without sleepers.
   *
   * @param capacity how many sleepers can be added
   * @param searchLimit how many workers may go through the search rounds at once
   * @param rule whom publishers wake
   */
  public Sleep(
      CounterWord counters,
      Parker parker,
      WorkView work,
      int capacity,
      int searchLimit,
      WakeRule rule) {
    this.counters = counters;
    this.parker = parker;
    this.work = work;
    this.sleepers = new AtomicReferenceArray<>(capacity);
    this.awake = new AwakeSet(capacity);
    this.searchLimit = searchLimit;
    this.wakesPerInsert = rule == WakeRule.ONE_PER_INSERT;
  }

  /** How many workers may go through the search rounds at once from now on. */
  public void setSearchLimit(int limit) {
    searchLimit = limit;
  }

  /** Adds the sleeper of the next index. Called by one thread at a time. */
  public void add(Sleeper sleeper) {
    int index = sleeperCount;
    sleeper.place = index;
    sleepers.set(index, sleeper);
    sleeperCount = index + 1;
  }

  // ---- publishers ------------------------------------------------------------------------------

  /** Publish after its Push, for one task. */
  public int publish() {
    return publish(1);
  }

  /**
   * Publish from PushFence on, to be called after Push made tasks visible in queues of this pool.
   *
   * @param tasks how many, those included that were moved: only {@link WakeRule#ONE_PER_INSERT}
   *     counts them
   * @return unparks made, 0 or 1; as many as tasks under that rule
   */
  public int publish(int tasks) {
    // PushFence. Pairs with SleepFence. Without it:
    //   T1 publisher                     T2 worker
    //   push (in the store buffer)
    //   reads sleeping = 0
    //                                    Register, Commit
    //                                    FinalCheck: sees no task
    //                                    parks
    //   push reaches memory, nobody looks
    VarHandle.fullFence();
    return publishFenced(tasks);
  }

  /**
   * The same for one task that came from outside. Such tasks pile up while who was woken for the
   * first of them waits for a processor, and counts as searching: then one more is woken, which can
   * be there sooner, as Rayon wakes one if the queue was not empty.
   *
   * @return unparks made, 0 or 1
   */
  public int publishFromOutside() {
    VarHandle.fullFence(); // PushFence
    long w = readSleepers();
    if (wakesPerInsert) {
      return sleeping(w) > 0 ? wake(1) : 0;
    }
    return needsWake(w, true) ? wakeOne(true) : 0;
  }

  /**
   * From ReadSleepers on, after a Push that was a volatile write: that is the PushFence as well.
   *
   * @param tasks as for {@link #publish(int)}
   * @return unparks made, 0 or 1; as many as tasks under {@link WakeRule#ONE_PER_INSERT}
   */
  public int publishFenced(int tasks) {
    long w = readSleepers();
    if (wakesPerInsert) {
      return sleeping(w) > 0 ? wake(tasks) : 0;
    }
    return needsWake(w, false) ? wakeOne(false) : 0;
  }

  private boolean needsWake(long w, boolean fromOutside) {
    return sleeping(w) > 0
        && (nobodySearches(w) || (fromOutside && work.isBacklogged(searching(w), sleeping(w))))
        && !work.leavesAsleep(inactive(w));
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
  private int wakeOne(boolean fromOutside) {
    int n = sleeperCount;
    for (int i = 0; i < n; i++) {
      Sleeper s = sleepers.get(i);
      if (s == null || !s.latch.isSleeping()) {
        continue;
      }
      // ReadAgain. Without it, a worker too many where two take turns:
      //   T1 publisher                     T2 worker
      //                                    Register
      //   push, fence; reads: T2 sleeps, nobody searches
      //                                    FinalCheck: sees the task; Withdraw; searches
      //   passes T2 by, whose latch is AWAKE, and wakes a third one
      if (!needsWake(counters.read(), fromOutside)) {
        return 0;
      }
      if (wakeIfAsleep(s)) {
        return 1;
      }
    }
    return 0;
  }

  /** Several, whoever searches. */
  private int wake(int most) {
    int woken = 0;
    int n = sleeperCount;
    for (int i = 0; i < n && woken < most; i++) {
      Sleeper s = sleepers.get(i);
      if (s != null && wakeIfAsleep(s)) {
        woken++;
      }
    }
    return woken;
  }

  /**
   * By who has seen that those which are awake do not get on: wakes up to so many sleepers, unless
   * somebody searches.
   *
   * @return unparks made
   */
  public int callUp(int most) {
    long w = readSleepers();
    return sleeping(w) > 0 && nobodySearches(w) ? wake(most) : 0;
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
   * @return true: woken by somebody who claimed this worker; false: it withdrew, or a timer is due
   *     that is left to it. Either way it is counted as searching, and no longer as sleeping
   */
  public boolean sleep(Sleeper self) {
    if (!self.latch.commit()) {
      // Notified in between. The latch was never SLEEPING, so nobody else can decrement for us.
      counters.deregister();
      return false;
    }
    leaveTheAwake(self);
    try {
      return sleepCommitted(self);
    } finally {
      joinTheAwake(self);
    }
  }

  private boolean sleepCommitted(Sleeper self) {
    // SleepFence. Pairs with PushFence, see publish().
    VarHandle.fullFence();
    // Without a hand-on, each publish needs a claim of its own. One that came between Announce and
    // here may have found nobody whose latch was SLEEPING, and FinalCheck alone does not make good
    // for it:
    //   T1, T2 publishers              T3 worker                  T4 worker
    //                                  Register                   Register
    //   T1: pushes A; claims nobody
    //                                                             Commit
    //                                  Commit
    //                                  looks where B will be
    //   T2: pushes B; claims T4
    //                                                             finds A, runs it for an hour
    //                                  looks where A was
    //                                  parks, and B strands
    if (wakesPerInsert && counters.hasMoved(self.announcedJec)) {
      withdraw(self);
      return false;
    }
    if (work.isWorkVisible() || work.isSurplus() || self.hasAddressedWork()) { // FinalCheck
      withdraw(self);
      return false;
    }
    while (self.latch.isSleeping()) { // Park
      long nanos = work.nanosToPark();
      if (nanos == Long.MAX_VALUE) {
        parker.park(this);
      } else if (nanos > 0) {
        parker.parkNanos(this, nanos);
      } else {
        withdraw(self);
        return false;
      }
      clearInterrupt(self);
    }
    return true;
  }

  /** Withdraw: a claim of oneself. If it fails, somebody woke us and has decremented already. */
  private void withdraw(Sleeper self) {
    if (self.latch.claim()) {
      counters.deregister();
    }
  }

  private void leaveTheAwake(Sleeper self) {
    if (self.amongTheAwake) {
      self.amongTheAwake = false;
      awake.remove(self.place);
    }
  }

  private void joinTheAwake(Sleeper self) {
    if (!self.amongTheAwake) {
      assert self.place >= 0 : "begun before it was added";
      self.amongTheAwake = true;
      awake.add(self.place);
    }
  }

  /** FoundWork, of a searcher that has moved nothing but the task that it runs. */
  public int endSearch() {
    return endSearch(0);
  }

  /**
   * FoundWork, and also the step of a searcher that leaves: no longer inactive, and if that was the
   * last searcher, the duty to wake is handed on. Under {@link WakeRule#ONE_PER_INSERT} nobody has
   * that duty; but what the searcher has moved was in nobody's sight, and is published again.
   *
   * @param moved how many tasks that is; one more if it leaves without a task, since it may have
   *     been woken for one
   * @return unparks made, 0 or 1; as many as were moved under that rule
   */
  public int endSearch(int moved) {
    // The look at the queues comes after the decrement. The other way round:
    //   T1 searcher                      T2 publisher
    //   looks: nothing left
    //                                    push, fence, reads searching = 1: no wake
    //   inactive -= 1, runs its task for an hour; T2's task strands while others sleep
    long w = counters.endSearch();
    VarHandle.fullFence();
    if (wakesPerInsert) {
      return moved == 0 ? 0 : publish(moved);
    }
    return nobodySearches(w)
            && sleeping(w) > 0
            && work.isWorkVisible()
            && !work.leavesAsleep(inactive(w))
        ? wakeOne(false)
        : 0;
  }

  // ---- addressed to one worker -----------------------------------------------------------------

  /**
   * To be called after a task for {@code s} alone became visible in its inbox.
   *
   * @return unparks made, 0 or 1
   */
  public int publishTo(Sleeper s) {
    // PushFence, as in publish(). It pairs with SleepFence; and where s becomes a spare, with the
    // CAS of becomeSpare, after which it looks into its inbox:
    //   T1 publisher                     T2 s
    //   push (in the store buffer)
    //   reads the latch: AWAKE
    //                                    latch to SLEEPING, or SPARE; inbox empty; parks
    //   push reaches memory, nobody looks
    VarHandle.fullFence();
    if (wakeIfAsleep(s)) {
      return 1;
    }
    return notifySpare(s) ? 1 : 0;
  }

  /**
   * Makes {@code s} look at what it is called for, if it is a spare.
   *
   * @return false: it is none
   */
  public boolean notifySpare(Sleeper s) {
    if (!s.latch.isSpare() || !s.latch.notifySpare()) {
      return false;
    }
    unpark(s);
    return true;
  }

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

  /**
   * Called by a notified worker before it looks; harmless for one that was not notified.
   *
   * @return whether it was
   */
  public boolean acknowledge(Sleeper self) {
    return self.latch.acknowledge();
  }

  // ---- waiting in the middle of a task ---------------------------------------------------------

  /**
   * Parks until it is done, uncounted: for a worker that holds no right to run, or that cannot run
   * anything else. Others search and sleep instead, and then {@code awaited} is what their {@link
   * Sleeper#hasAddressedWork} tells.
   *
   * @throws StackOverflowError if there is no room to park; it is as if it had not been called
   */
  public void await(Sleeper self, Awaited awaited) {
    while (!awaited.isDone()) {
      if (!self.latch.beginWait()) {
        self.latch.acknowledge(); // of no interest before the wait is over
        continue;
      }
      try {
        // The look comes after the latch, both sequentially consistent. The other way round:
        //   T1 waits                         T2 completes
        //   not done
        //                                    done; the latch is AWAKE: nobody to wake
        //   AWAKE to WAITING, parks
        if (awaited.isDone()) {
          self.latch.endWait();
          return;
        }
        while (self.latch.isWaiting()) {
          parker.park(this);
          clearInterrupt(self);
        }
      } catch (Throwable t) { // no stack left to park on; this needs no more than beginWait did
        self.latch.endWait();
        throw t;
      }
    }
  }

  /**
   * What {@code s} waits for is done, and that was written with volatile effect: wakes it if it
   * sleeps, in whichever way.
   *
   * @return unparks made, 0 or 1
   */
  public int wakeWaiter(Sleeper s) {
    if (wakeIfAsleep(s)) {
      return 1;
    }
    if (s.latch.isWaiting() && s.latch.endWait()) {
      unpark(s);
      return 1;
    }
    return 0;
  }

  // ---- spares ----------------------------------------------------------------------------------

  /** False: it was notified and must look at that first. The caller is not counted inactive. */
  public boolean becomeSpare(Sleeper self) {
    boolean spare = self.latch.becomeSpare();
    if (spare) {
      leaveTheAwake(self);
    }
    return spare;
  }

  /** By a worker that is no spare any more, before it takes a task. */
  public void endSpare(Sleeper self) {
    joinTheAwake(self);
  }

  /** True: the caller took {@code s} out of the spares; it runs once {@link #unpark} was called. */
  public boolean claimSpare(Sleeper s) {
    return s.latch.claimSpare();
  }

  /** Whether {@code s} may be running a task: not asleep, not a spare, not retired. */
  public boolean isAwake(Sleeper s) {
    return s.latch.isAwake();
  }

  /**
   * The next worker in whose queues there may be tasks. Those of the others, who sleep, are spares
   * or have retired, are empty. Whoever asks after a fence misses nothing: a worker that it did not
   * see had no task at that moment, and what it has had later it has published.
   *
   * @param from the first index that is looked at
   * @param to the first one that is not
   * @return its index; -1: none
   */
  public int nextAwake(int from, int to) {
    return awake.next(from, to);
  }

  /** Whether no other worker is awake; a hint. By a worker that is. */
  public boolean isAloneAwake(Sleeper self) {
    return awake.next(0, self.place) < 0 && awake.next(self.place + 1, sleeperCount) < 0;
  }

  /** Whether {@code s} is parked as a spare, or about to be. */
  public boolean isSpare(Sleeper s) {
    return s.latch.isSpare();
  }

  /**
   * Parks a spare until it is claimed or notified, or its keep-alive is over; {@code
   * Long.MAX_VALUE}: without a timeout.
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
      if (keepAliveNanos == Long.MAX_VALUE) {
        parker.park(this);
      } else {
        parker.parkNanos(this, left);
      }
      clearInterrupt(self);
    }
    return true;
  }

  /**
   * A spare whose keep-alive is over ends, unless something is addressed to it. Retiring and being
   * claimed exclude each other by the latch.
   *
   * @return false: claimed or notified at the last moment, by itself too; it goes on. True: from
   *     here on the worker belongs to whoever revives it, and the caller must not touch it any more
   */
  public boolean retire(Sleeper self) {
    if (!self.latch.prepareToRetire()) {
      return false;
    }
    // Between two states, so that nobody else starts a thread before this is decided:
    //   T1 addresses                  T2 self                       T3 starts a spare
    //   opens the inbox; SPARE: fine
    //                                 latch SPARE to RETIRED
    //                                                               revives it
    //                                 the inbox is open, but self
    //                                 is not retired: ends
    //   pushes, wakes nobody
    //                                                               its thread cannot be started
    // And the look comes after the latch, see Addressing.addressable.
    if (!self.mayRetire()) {
      self.latch.stay();
      return false;
    }
    return self.latch.retire();
  }

  /** Whether {@code s} waits for somebody who revives it. */
  public boolean isRetired(Sleeper s) {
    return s.latch.isRetired();
  }

  /** Whether {@code s} is about to retire, or to go on. */
  public boolean isRetiring(Sleeper s) {
    return s.latch.isRetiring();
  }

  /**
   * Whether {@code s} has a thread for sure. If not, either it waits for somebody who revives it,
   * or that will be known when those who are at it have come to an end.
   */
  public boolean hasThread(Sleeper s) {
    return s.latch.hasThread();
  }

  /**
   * True: the caller may give {@code s} a new thread, which calls {@link #begin}. If it cannot be
   * started, the caller must call {@link #end}.
   */
  public boolean revive(Sleeper s) {
    return s.latch.revive();
  }

  /** The new thread of {@code self} runs. */
  public void begin(Sleeper self) {
    joinTheAwake(self);
    self.latch.begin();
  }

  /** The thread of {@code self} is over, or could not be started. */
  public void end(Sleeper self) {
    leaveTheAwake(self); // not later: then it belongs to whoever revives it
    self.latch.end();
  }

  /** Unparks the thread of a worker that the caller claimed. */
  public void unpark(Sleeper s) {
    Thread t = s.thread();
    if (t != null) {
      parker.unpark(t);
    }
  }

  /**
   * A pending interrupt would make every park return at once: a spin. No task sees it but one that
   * waits in a join.
   */
  private static void clearInterrupt(Sleeper self) {
    if (Thread.interrupted()) {
      self.interruptedAsleep();
    }
  }

  // ---- reading ---------------------------------------------------------------------------------

  /** Workers registered as asleep. */
  public int sleepingCount() {
    return sleeping(counters.read());
  }

  /** Whether no worker searches or sleeps. */
  public boolean nobodyIsInactive() {
    return inactive(counters.read()) == 0;
  }

  /**
   * Whether a worker looks at every source of work before it sleeps, or there is none to wake.
   *
   * @param standby so many sleepers are not to be woken
   */
  public boolean somebodySearchesOrNoOtherSleeps(int standby) {
    long w = counters.read();
    return sleeping(w) <= standby || !nobodySearches(w);
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
