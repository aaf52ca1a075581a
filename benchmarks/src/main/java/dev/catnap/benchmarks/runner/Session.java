package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Row;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** One run of the command: all forks, in turn, and the tables. */
final class Session {
  private final Settings settings;
  private final Forks forks;
  private final NativeForks natives;
  private final PrintStream tables;
  private final PrintStream progress;
  private final List<RunResult> results = new ArrayList<>();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final Repeats repeats;
  private final Distance distance = new Distance();
  private int started;
  private int failed;

  Session(
      Settings settings,
      Forks forks,
      NativeForks natives,
      PrintStream tables,
      PrintStream progress) {
    this.settings = settings;
    this.forks = forks;
    this.natives = natives;
    this.tables = tables;
    this.progress = progress;
    repeats = new Repeats(settings.quick() ? 0 : settings.totalForks(natives.available()) / 2);
  }

  /** How many forks ran once more, because others used the machine. */
  int repeated() {
    return repeats.made();
  }

  /** How far the processors were from each other meanwhile. */
  String distance() {
    return distance.toString();
  }

  /** Runs everything, whatever fails. */
  void run() {
    Judge judge = new Judge(!settings.quick());
    Report report = new Report(judge);
    for (Row row : settings.rows()) {
      for (Case program : row.cases()) {
        for (int workers : settings.workers(row, program)) {
          Outcome outcome = new Outcome(row, measure(row, program, workers));
          outcomes.add(outcome);
          tables.println();
          tables.print(report.of(outcome));
        }
      }
    }
    tables.println();
    if (settings.against() != null) {
      tables.print(Report.of(Families.HEADING, new Builds(judge).of(outcomes)));
      return;
    }
    tables.print(Report.of(Families.HEADING, new Families(judge).of(outcomes)));
    tables.print(Report.of(Scaling.HEADING, new Scaling(judge).summary(outcomes)));
  }

  /** All cases so far, whether their forks failed or not. */
  List<Outcome> outcomes() {
    return outcomes;
  }

  /** All results so far, one per fork. */
  List<RunResult> results() {
    return results;
  }

  int failed() {
    return failed;
  }

  /** A B C A B C, so that whatever drifts on the machine drifts for all. */
  private Measured measure(Row row, Case program, int workers) {
    List<Peer> lineup = settings.lineup(row, program, workers);
    Measured measured = new Measured(program, workers, settings.forks(), lineup);
    List<Peer> turns = new ArrayList<>(lineup);
    turns.addAll(Settings.natives(program, natives.available()));
    for (int fork = 1; fork <= settings.forks(); fork++) {
      for (Peer peer : turns) {
        started++;
        String what =
            "[%d/%d] %s %s, %d workers, fork %d, %s"
                .formatted(
                    started,
                    settings.totalForks(natives.available()),
                    row.id(),
                    program.name(),
                    workers,
                    fork,
                    peer.label());
        String before = settings.quick() ? "" : distance.measure();
        try {
          Fork figures = fork(program, peer, workers);
          measured.add(peer, figures);
          Metric headline = program.columns().get(0);
          progress.println(
              what
                  + ": "
                  + headline.heading()
                  + " "
                  + Numbers.figure(figures.figure(headline))
                  + before);
        } catch (RunnerException e) {
          failed++;
          progress.println(what + ": FAILED: " + cause(e));
        }
      }
    }
    return measured;
  }

  private Fork fork(Case program, Peer peer, int workers) throws RunnerException {
    if (peer instanceof NativePeer nativePeer) {
      return natives.run(program, nativePeer, workers);
    }
    RunResult result =
        repeats.leastDisturbed(
            () -> Undisturbed.of(forks.run(program, peer, workers)),
            r -> Fork.of(r).figure(Metric.FOREIGN));
    results.add(result);
    return Fork.of(result);
  }

  /** JMH says "Benchmark error", and has what a fork threw among the suppressed exceptions. */
  static String cause(Throwable e) {
    if (e.getCause() != null) {
      return cause(e.getCause());
    }
    return e.getSuppressed().length > 0 ? cause(e.getSuppressed()[0]) : e.toString();
  }
}
