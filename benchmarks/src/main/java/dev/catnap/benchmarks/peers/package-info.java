/**
 * What workloads run on: Catnap, its peers and the floors, one enum for each kind of workload, all
 * with the same number of workers.
 */
@NullMarked
package dev.catnap.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
