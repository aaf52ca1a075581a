package dev.catnap.benchmarks.workloads;

import java.util.function.Supplier;

/** A tree of virtual threads: each starts its children, joins them, and adds up what they say. */
public final class Skynet {

  private Skynet() {}

  /**
   * Grows one tree, whose leaves are numbered.
   *
   * @param threads makes virtual threads
   * @param children of each thread that is no leaf
   * @param leaves how many, a power of {@code children}
   * @return the sum of the leaves' numbers
   * @throws InterruptedException if interrupted
   */
  public static long sum(Supplier<Thread.Builder.OfVirtual> threads, int children, int leaves)
      throws InterruptedException {
    Node root = new Node(threads, children, 0, leaves);
    threads.get().start(root).join();
    return Check.eachIs((long) leaves * (leaves - 1) / 2, new long[] {root.sum});
  }

  private static final class Node implements Runnable {
    private final Supplier<Thread.Builder.OfVirtual> threads;
    private final int children;
    private final int first;
    private final int leaves;
    private long sum;

    Node(Supplier<Thread.Builder.OfVirtual> threads, int children, int first, int leaves) {
      this.threads = threads;
      this.children = children;
      this.first = first;
      this.leaves = leaves;
    }

    @Override
    public void run() {
      try {
        sum = leaves == 1 ? first : sumOfChildren();
      } catch (InterruptedException e) {
        // The sum stays wrong, and the check says so.
        Thread.currentThread().interrupt();
      }
    }

    private long sumOfChildren() throws InterruptedException {
      Thread.Builder builder = threads.get();
      Node[] nodes = new Node[children];
      Thread[] started = new Thread[children];
      int each = leaves / children;
      for (int i = 0; i < children; i++) {
        nodes[i] = new Node(threads, children, first + i * each, each);
        started[i] = builder.start(nodes[i]);
      }
      long total = 0;
      for (int i = 0; i < children; i++) {
        started[i].join();
        total += nodes[i].sum;
      }
      return total;
    }
  }
}
