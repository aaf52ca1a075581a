package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.plan.Limit;
import org.jspecify.annotations.Nullable;

/** Whether a ratio reached its target. */
enum Verdict {
  MET("met"),
  MISSED("missed"),
  /** The median says so, but the interval has the target inside. */
  MET_UNSURE("met?"),
  MISSED_UNSURE("missed?"),
  /** No target, or no ratio. */
  NONE("-"),
  /** The target is for other circumstances. */
  NOT_JUDGED("not judged");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  static Verdict of(@Nullable Limit limit, double ratio, Statistics.Interval interval) {
    if (limit == null || Double.isNaN(ratio)) {
      return NONE;
    }
    boolean met = limit.isMetBy(ratio);
    boolean sure = limit.isMetBy(interval.low()) == met && limit.isMetBy(interval.high()) == met;
    if (met) {
      return sure ? MET : MET_UNSURE;
    }
    return sure ? MISSED : MISSED_UNSURE;
  }

  @Override
  public String toString() {
    return text;
  }
}
