package dev.catnap.internal.atomic;

/**
 * 128 bytes in front of the fields of a subclass (two lines, because x86 prefetches lines in
 * pairs). HotSpot lays out the fields of a superclass before those of its subclasses, so a
 * three-level hierarchy (this class, the field, the tail padding) isolates the field on both sides.
 */
@SuppressWarnings("unused")
abstract class Padding {
  private long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;
}
