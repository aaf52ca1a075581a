package dev.catnap.benchmarks.workloads;

import dev.catnap.WorkStealingScheduler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A Fibonacci number by the tree of its definition, a task for each left branch. Below the cutoff a
 * branch is a plain recursion.
 */
public final class ForkJoinTree {

  private ForkJoinTree() {}

  /**
   * In tasks that never wait: whichever branch ends last goes on with what is above it.
   *
   * @param pool where the tasks run
   * @param n which number
   * @param cutoff the least n that is split, less one; at least 1
   * @return the number
   * @throws InterruptedException if interrupted
   */
  public static long continued(Executor pool, int n, int cutoff) throws InterruptedException {
    Tree tree = new Tree(pool, cutoff);
    Branch root = new Branch(tree, null, n);
    pool.execute(root);
    tree.done.await();
    return checked(n, root.value);
  }

  /**
   * In tasks that join what they forked.
   *
   * @param pool where the tasks run
   * @param n which number
   * @param cutoff the least n that is split, less one; at least 1
   * @return the number
   */
  public static long joined(ForkJoinPool pool, int n, int cutoff) {
    return checked(n, pool.invoke(new Joined(n, cutoff)));
  }

  /**
   * The same by the joins of Catnap.
   *
   * @param pool where the branches run
   * @param n which number
   * @param cutoff the least n that is split, less one; at least 1
   * @return the number
   */
  public static long joined(WorkStealingScheduler pool, int n, int cutoff) {
    Half whole = new Half(pool, n, cutoff);
    pool.join(whole, () -> {});
    return checked(n, whole.value);
  }

  private static long checked(int n, long found) {
    return Check.eachIs(AsyncTree.fibonacciLoop(n), new long[] {found});
  }

  private static long recursion(int n) {
    return n < 2 ? n : recursion(n - 1) + recursion(n - 2);
  }

  /** What all branches share. */
  private record Tree(Executor pool, int cutoff, CountDownLatch done) {
    Tree(Executor pool, int cutoff) {
      this(pool, cutoff, new CountDownLatch(1));
    }
  }

  private static final class Branch implements Runnable {
    private static final AtomicIntegerFieldUpdater<Branch> ENDED =
        AtomicIntegerFieldUpdater.newUpdater(Branch.class, "ended");

    private final Tree tree;
    private final @Nullable Branch parent;
    private final int n;

    private @Nullable Branch left;
    private @Nullable Branch right;
    private long value;

    /** How many of its two branches have ended. What they wrote is read by the last of them. */
    @SuppressWarnings("UnusedVariable") // through ENDED
    private volatile int ended;

    Branch(Tree tree, @Nullable Branch parent, int n) {
      this.tree = tree;
      this.parent = parent;
      this.n = n;
    }

    /** Forks to the left and descends to the right. */
    @Override
    public void run() {
      Branch branch = this;
      while (branch.n > tree.cutoff) {
        Branch forked = new Branch(tree, branch, branch.n - 1);
        Branch next = new Branch(tree, branch, branch.n - 2);
        branch.left = forked;
        branch.right = next;
        tree.pool.execute(forked);
        branch = next;
      }
      branch.value = recursion(branch.n);
      branch.end();
    }

    private void end() {
      Branch branch = this;
      for (Branch above = parent; above != null; above = branch.parent) {
        if (ENDED.incrementAndGet(above) < 2) {
          return;
        }
        above.value = value(above.left) + value(above.right);
        branch = above;
      }
      tree.done.countDown();
    }

    private static long value(@Nullable Branch branch) {
      return branch == null ? 0 : branch.value;
    }
  }

  private static final class Half implements Runnable {
    private final WorkStealingScheduler pool;
    private final int n;
    private final int cutoff;

    private long value;

    Half(WorkStealingScheduler pool, int n, int cutoff) {
      this.pool = pool;
      this.n = n;
      this.cutoff = cutoff;
    }

    @Override
    public void run() {
      if (n <= cutoff) {
        value = recursion(n);
        return;
      }
      Half left = new Half(pool, n - 1, cutoff);
      Half right = new Half(pool, n - 2, cutoff);
      pool.join(left, right);
      value = left.value + right.value;
    }
  }

  private static final class Joined extends RecursiveTask<Long> {
    private static final long serialVersionUID = 1L;

    private final int n;
    private final int cutoff;

    Joined(int n, int cutoff) {
      this.n = n;
      this.cutoff = cutoff;
    }

    @Override
    protected Long compute() {
      if (n <= cutoff) {
        return recursion(n);
      }
      Joined left = new Joined(n - 1, cutoff);
      left.fork();
      long right = new Joined(n - 2, cutoff).compute();
      return left.join() + right;
    }
  }
}
