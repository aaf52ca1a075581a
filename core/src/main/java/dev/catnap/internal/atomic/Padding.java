package dev.catnap.internal.atomic;

/**
 * 128 bytes in front of the fields of a subclass (two lines, because x86 prefetches lines in
 * pairs). HotSpot lays out the fields of a superclass before those of its subclasses, so a
 * three-level hierarchy (this class, the field, the tail padding) isolates the field on both sides.
 * Where the fields that are written are no references, two levels do: bytes come behind larger
 * numbers.
 *
 * <p>Bytes, as in JCTools: longs would begin at a multiple of eight, behind a header of twelve, and
 * since JDK 15 the fields of a subclass go into such gaps of their superclass (JDK-8237767): an int
 * or a reference would lie in front of its padding.
 */
@SuppressWarnings("unused")
public abstract class Padding {
  private byte p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p0a, p0b, p0c, p0d, p0e, p0f;
  private byte p10, p11, p12, p13, p14, p15, p16, p17, p18, p19, p1a, p1b, p1c, p1d, p1e, p1f;
  private byte p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p2a, p2b, p2c, p2d, p2e, p2f;
  private byte p30, p31, p32, p33, p34, p35, p36, p37, p38, p39, p3a, p3b, p3c, p3d, p3e, p3f;
  private byte p40, p41, p42, p43, p44, p45, p46, p47, p48, p49, p4a, p4b, p4c, p4d, p4e, p4f;
  private byte p50, p51, p52, p53, p54, p55, p56, p57, p58, p59, p5a, p5b, p5c, p5d, p5e, p5f;
  private byte p60, p61, p62, p63, p64, p65, p66, p67, p68, p69, p6a, p6b, p6c, p6d, p6e, p6f;
  private byte p70, p71, p72, p73, p74, p75, p76, p77, p78, p79, p7a, p7b, p7c, p7d, p7e, p7f;
}
