package dev.catnap.coroutines;

import dev.catnap.spi.SchedulerAdapter;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import kotlin.Unit;
import kotlin.coroutines.CoroutineContext;
import kotlin.jvm.functions.Function1;
import kotlinx.coroutines.CancellableContinuation;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.internal.ScopeCoroutine;
import org.jspecify.annotations.Nullable;

/**
 * Where each coroutine lives, on a scheduler with a thread per core: on the worker on which it was
 * launched, or on any, by chance, if that was elsewhere.
 *
 * <p>A continuation has no place to remember that, and the dispatcher in its context is the same
 * for all. So the home is kept here, by the {@link Job} of the coroutine, from its first dispatch
 * to the job's completion: some 100 bytes for each coroutine that is not complete, and one look
 * into a hash table for each dispatch. A coroutine without a job has no home.
 *
 * <p>{@code coroutineScope}, {@code withContext} and their like have jobs of their own, and are the
 * same coroutine: they live where it does. kotlinx.coroutines has a class of its own for these
 * jobs, which it calls internal; written against 1.11.0.
 *
 * <p>Thread-safe.
 */
final class Homes {
  private final SchedulerAdapter scheduler;
  private final List<SchedulerAdapter> workers;
  private final int first;
  private final int count;
  private final ConcurrentHashMap<Job, Home> known = new ConcurrentHashMap<>();

  /** All workers. */
  Homes(SchedulerAdapter scheduler) {
    this(scheduler, 0, scheduler.homes().size());
  }

  /** So many workers from the first one on, in a circle. */
  Homes(SchedulerAdapter scheduler, int first, int count) {
    this.scheduler = scheduler;
    this.workers = scheduler.homes();
    this.first = first;
    this.count = count;
  }

  /** How many workers these are. */
  int count() {
    return count;
  }

  /** A worker's calls. */
  SchedulerAdapter worker(int index) {
    return workers.get(index);
  }

  /** Coroutines that are remembered. */
  int size() {
    return known.size();
  }

  /**
   * The worker of a coroutine that is dispatched, or waits.
   *
   * @param block what is dispatched, or waits
   */
  int homeOf(CoroutineContext context, Object block) {
    Job job = context.get(Job.Key);
    while (job instanceof ScopeCoroutine<?> scope) {
      // Not its parent: in withContext(NonCancellable) that is nobody.
      job = scope.uCont.getContext().get(Job.Key);
    }
    if (job == null) {
      return here();
    }
    Home home = known.get(job);
    return home != null ? home.worker : settle(job, block);
  }

  private int settle(Job job, Object block) {
    // A launch dispatches something else, on the thread that calls it. This one was started without
    // a dispatch, and the thread is that of whoever resumes it.
    boolean resumed = block instanceof CancellableContinuation;
    Home home = new Home(this, job, resumed ? nearest(job) : here());
    Home other = known.putIfAbsent(job, home);
    if (other != null) {
      return other.worker;
    }
    // Called at once if the job has completed meanwhile: nothing is left behind.
    job.invokeOnCompletion(home);
    return home.worker;
  }

  private int nearest(Job job) {
    for (Job j = job.getParent(); j != null; j = j.getParent()) {
      Home home = known.get(j);
      if (home != null) {
        return home.worker;
      }
    }
    return here();
  }

  /** The worker of the caller if it is one of these, else any. */
  private int here() {
    int n = workers.size();
    int index = scheduler.home();
    if (Math.floorMod(index - first, n) < count) {
      return index;
    }
    return (first + ThreadLocalRandom.current().nextInt(count)) % n;
  }

  /** One entry, which its job removes. */
  private static final class Home implements Function1<@Nullable Throwable, Unit> {
    private final Homes homes;
    private final Job job;
    final int worker;

    Home(Homes homes, Job job, int worker) {
      this.homes = homes;
      this.job = job;
      this.worker = worker;
    }

    @Override
    public Unit invoke(@Nullable Throwable cause) {
      homes.known.remove(job, this);
      return Unit.INSTANCE;
    }
  }
}
