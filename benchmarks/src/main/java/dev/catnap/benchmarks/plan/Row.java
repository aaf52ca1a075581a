package dev.catnap.benchmarks.plan;

import java.util.List;

/**
 * A row of the performance page.
 *
 * @param id such as C1
 * @param title what it is
 * @param family the rows whose geometric mean it enters
 * @param cases what is run and compared
 */
public record Row(String id, String title, Family family, List<Case> cases) {

  /** Copies the list. */
  public Row {
    cases = List.copyOf(cases);
  }
}
