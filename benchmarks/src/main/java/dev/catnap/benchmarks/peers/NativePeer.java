package dev.catnap.benchmarks.peers;

/**
 * Schedulers of other languages: programs of their own, which do the same by the same algorithm.
 */
public enum NativePeer implements Peer {
  RAYON,
  GO,
  TOKIO
}
