package dev.catnap.benchmarks.runner;

import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Reads a {@link Request}, runs it without a fork, and answers with its result or with what went
 * wrong, until there are no more. Whatever else is printed goes to the error output.
 */
public final class SharedJvmMain {
  private SharedJvmMain() {}

  /**
   * Runs.
   *
   * @param args none
   * @throws IOException if the other side has gone
   * @throws ClassNotFoundException if the other side is of another version
   */
  public static void main(String[] args) throws IOException, ClassNotFoundException {
    PrintStream out = System.out;
    System.setOut(System.err);
    try (ObjectOutputStream answers = new ObjectOutputStream(out)) {
      answers.flush();
      ObjectInputStream requests = new ObjectInputStream(System.in);
      while (true) {
        answers.writeObject(answer((Request) requests.readObject()));
        answers.reset();
        answers.flush();
      }
    } catch (EOFException e) {
      // Whatever a scheduler has left behind must not keep the JVM.
      System.exit(0);
    }
  }

  private static Object answer(Request request) {
    try {
      return request.run(request.options(Pace.SHORT).forks(0), System.err);
    } catch (RunnerException e) {
      return Session.cause(e);
    }
  }
}
