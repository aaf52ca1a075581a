package dev.catnap.agent.testing;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import javax.management.Attribute;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;

/** Prints what the JDK's own means tell of its scheduler, from JDK 24 on. */
public final class Monitoring {
  private Monitoring() {}

  /** While one virtual thread is mounted. */
  public static void main(String[] arguments) throws Exception {
    CountDownLatch mounted = new CountDownLatch(1);
    boolean[] end = new boolean[1];
    Object guard = new Object();
    Thread busy =
        Thread.startVirtualThread(
            () -> {
              mounted.countDown();
              while (!isSet(end, guard)) {
                Thread.onSpinWait();
              }
            });
    mounted.await();
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("jdk.management:type=VirtualThreadScheduler");
    System.out.println("parallelism " + server.getAttribute(name, "Parallelism"));
    System.out.println("enough threads " + ((int) server.getAttribute(name, "PoolSize") >= 3));
    System.out.println(
        "one mounted " + ((int) server.getAttribute(name, "MountedVirtualThreadCount") >= 1));
    System.out.println("queued " + server.getAttribute(name, "QueuedVirtualThreadCount"));
    server.setAttribute(name, new Attribute("Parallelism", 5));
    System.out.println("changed to " + server.getAttribute(name, "Parallelism"));
    try {
      server.setAttribute(name, new Attribute("Parallelism", 100_000));
    } catch (RuntimeMBeanException e) {
      System.out.println(e.getCause().getMessage());
    }
    jcmd();
    synchronized (guard) {
      end[0] = true;
    }
    busy.join();
  }

  private static boolean isSet(boolean[] flag, Object guard) {
    synchronized (guard) {
      return flag[0];
    }
  }

  private static void jcmd() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(ProcessHandle.current().pid()),
                "Thread.vthread_scheduler")
            .redirectErrorStream(true)
            .start();
    System.out.print(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
    process.waitFor();
  }
}
