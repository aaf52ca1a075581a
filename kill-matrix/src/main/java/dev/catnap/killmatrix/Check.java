package dev.catnap.killmatrix;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A checker and what of it is run, such as {@code lincheck SleepLostWakeupTest#theJecMayRollOver}.
 *
 * @param checker which
 * @param selection test class and perhaps method, the name of a JCStress test, or a configuration
 *     of the model
 */
record Check(Checker checker, String selection) {

  enum Checker {
    /** A suite of {@code lincheck-tests} on the JDK that runs this. */
    LINCHECK,
    /** The same on JDK 17. */
    LINCHECK17,
    /**
     * A test of {@code core}, or of {@code dispatcher}, that goes through the interleaving step by
     * step: on one thread, or with every other one held where the script wants it.
     */
    STEPS,
    /** A test of {@code core}, or of {@code dispatcher}, with real threads. */
    UNIT,
    /**
     * The same in the interpreter, where each call has a frame of its own, and a large one: how
     * much stack is left where changes with what has been compiled.
     */
    INTERPRETED,
    /** A test of {@code jcstress-tests}. */
    JCSTRESS,
    /**
     * A configuration of {@code docs/model}. It switches the same mistake on in the model; run by
     * {@code model-tests}, and only named here.
     */
    TLC;

    String label() {
      return switch (this) {
        case LINCHECK -> "Lincheck";
        case LINCHECK17 -> "Lincheck on 17";
        case STEPS -> "steps";
        case UNIT -> "unit";
        case INTERPRETED -> "interpreted";
        case JCSTRESS -> "JCStress";
        case TLC -> "TLC";
      };
    }
  }

  /**
   * What came out.
   *
   * @param killed whether the checker noticed
   * @param how its message, in short
   * @param budget what it would have explored to the end
   * @param seconds it took, the start of the JVM included
   */
  record Outcome(boolean killed, String how, String budget, double seconds) {}

  /**
   * How long things may take.
   *
   * @param processSeconds the JVM of the check
   * @param awaitSeconds a wait in a test of the core
   * @param stressSeconds how long a JCStress test is run again while it sees nothing
   */
  record Limits(long processSeconds, long awaitSeconds, long stressSeconds) {

    /**
     * For the unchanged code: a deadline against a hang. The longest check takes a minute beside
     * another, and more than two where the machine does something else as well.
     */
    static final Limits OF_CONTROL = new Limits(600, 60, 0);

    static final long LEAST_AWAIT_SECONDS = 10;
    private static final long STRESS_SECONDS = 60;

    /**
     * For a mutant: whatever ends by the clock has had ten times as long as the whole check takes
     * on the unchanged code, so it is the mutant that hangs, not the machine that is slow.
     */
    static Limits afterControl(double controlSeconds) {
      long tenfold = (long) Math.ceil(10 * controlSeconds);
      return new Limits(
          tenfold + STRESS_SECONDS, Math.max(LEAST_AWAIT_SECONDS, tenfold), STRESS_SECONDS);
    }
  }

  static Check parse(String text) {
    int space = text.indexOf(' ');
    if (space < 0) {
      throw new IllegalArgumentException("expected CHECKER SELECTION: " + text);
    }
    return new Check(
        Checker.valueOf(text.substring(0, space).toUpperCase(Locale.ROOT)),
        text.substring(space + 1).strip());
  }

  boolean isRunHere() {
    return checker != Checker.TLC;
  }

  /** Whether the same comes out each time, whatever else the machine does. */
  boolean isDeterministic() {
    return checker == Checker.STEPS;
  }

  /**
   * Runs it in a fresh JVM, with the classes of {@code mutated} before those of {@code classPath}.
   */
  Outcome run(Path mutated, String classPath, Path log, Limits limits)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add((checker == Checker.LINCHECK17 ? Jdk17.java() : thisJava()).toString());
    command.addAll(flags(limits));
    command.add("-cp");
    command.add(mutated + File.pathSeparator + classPath);
    command.add(CheckRunner.class.getName());
    command.add(checker.name());
    command.add(selection);
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .directory(mutated.toFile())
            .start();
    boolean ended = process.waitFor(limits.processSeconds(), TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    List<String> printed = Files.readAllLines(log, StandardCharsets.UTF_8);
    String verdict = said(printed, CheckRunner.VERDICT);
    String budget = said(printed, CheckRunner.BUDGET);
    if (!ended) {
      return new Outcome(
          true, "did not end within " + limits.processSeconds() + " s", budget, seconds);
    }
    return switch (process.exitValue()) {
      case CheckRunner.SURVIVED -> new Outcome(false, verdict, budget, seconds);
      case CheckRunner.KILLED -> new Outcome(true, verdict, budget, seconds);
      // Neither noticed nor passed: the check itself is broken, which is as bad.
      default ->
          new Outcome(
              false, "exited with " + process.exitValue() + ", see " + log, budget, seconds);
    };
  }

  private static String said(List<String> lines, String prefix) {
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .reduce("", (earlier, later) -> later);
  }

  private static Path thisJava() {
    return Path.of(System.getProperty("java.home", ""), "bin", "java");
  }

  private List<String> flags(Limits limits) {
    List<String> flags = new ArrayList<>(List.of("-ea", "-XX:+UseSerialGC"));
    flags.add("-Dcatnap.await.seconds=" + limits.awaitSeconds());
    switch (checker) {
      case STEPS -> flags.add("-XX:TieredStopAtLevel=1");
      case INTERPRETED -> flags.add("-Xint");
      case LINCHECK, LINCHECK17 -> {
        flags.add("-XX:TieredStopAtLevel=1");
        flags.add("-XX:+EnableDynamicAgentLoading");
        if (checker == Checker.LINCHECK) {
          flags.add("--sun-misc-unsafe-memory-access=allow");
        }
      }
      case JCSTRESS -> flags.add("-D" + CheckRunner.STRESS_SECONDS + "=" + limits.stressSeconds());
      default -> {}
    }
    return flags;
  }

  @Override
  public String toString() {
    return checker.label() + " " + selection;
  }
}
