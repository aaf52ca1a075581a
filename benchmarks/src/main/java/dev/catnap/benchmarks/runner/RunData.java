package dev.catnap.benchmarks.runner;

import java.util.List;
import java.util.Map;

/**
 * All that the page is written from.
 *
 * @param environment where and when
 * @param quick whether the figures mean nothing
 * @param outcomes the cases, in the order in which they ran
 */
record RunData(Map<String, String> environment, boolean quick, List<Outcome> outcomes) {}
