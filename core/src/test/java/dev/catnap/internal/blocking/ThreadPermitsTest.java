package dev.catnap.internal.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The threads that pools share: counting, and the line of those that wait (G9). */
class ThreadPermitsTest {
  private final ThreadPermits permits = new ThreadPermits(2);
  private final ThreadPermits.Share holder = permits.share(() -> {});
  private final List<String> called = new ArrayList<>();

  @BeforeEach
  void holdAll() {
    assertTrue(holder.tryTake(2));
  }

  private ThreadPermits.Share taker(String name) {
    ThreadPermits.Share[] self = new ThreadPermits.Share[1];
    self[0] =
        permits.share(
            () -> {
              called.add(name);
              assertTrue(Objects.requireNonNull(self[0]).tryTake(1));
            });
    return Objects.requireNonNull(self[0]);
  }

  private void giveBack(int n) {
    holder.putBack(n);
    holder.callNext();
  }

  @Test
  void allOrNothingIsTaken() {
    assertEquals(0, permits.free());
    holder.putBack(1);
    assertFalse(holder.tryTake(2));
    assertEquals(1, permits.free());
    assertTrue(holder.tryTake(1));
    assertEquals("2 of 2 threads in use", permits.toString());
  }

  @Test
  void thoseInLineAreCalledInTheirOrderAsLongAsOneIsFree() {
    for (String name : List.of("a", "b", "c")) {
      assertFalse(taker(name).awaitOne());
    }
    giveBack(1);
    assertEquals(List.of("a"), called);
    giveBack(1);
    assertEquals(List.of("a", "b"), called);
    holder.callNext();
    assertEquals(List.of("a", "b"), called, "none is free");
  }

  @Test
  void whoIsInLineTwiceIsCalledOnce() {
    ThreadPermits.Share a = taker("a");
    assertFalse(a.awaitOne());
    assertFalse(a.awaitOne());
    giveBack(2);
    assertEquals(List.of("a"), called);
    assertEquals(1, permits.free());
  }

  @Test
  void whoIsCalledAndRefusedIsInLineAgain() {
    ThreadPermits.Share a = taker("a");
    assertFalse(a.awaitOne());
    giveBack(1);
    assertFalse(a.awaitOne());
    giveBack(1);
    assertEquals(List.of("a", "a"), called);
  }

  @Test
  void whileOneIsFreeNobodyStandsInLine() {
    holder.putBack(1);
    assertTrue(taker("a").awaitOne());
    holder.callNext();
    assertEquals(List.of(), called);
  }

  @Test
  void whoClosesLeavesTheLineWhereverItStands() {
    for (int leaver = 0; leaver < 3; leaver++) {
      called.clear();
      List<ThreadPermits.Share> shares = List.of(taker("0"), taker("1"), taker("2"));
      shares.forEach(s -> assertFalse(s.awaitOne()));
      shares.get(leaver).close();
      assertFalse(shares.get(leaver).awaitOne(), "and is in it no more");
      ThreadPermits.Share last = taker("last");
      assertFalse(last.awaitOne());
      int gone = leaver;
      List<String> expected = new ArrayList<>(List.of("0", "1", "2", "last"));
      expected.remove(gone);
      giveBack(2);
      assertEquals(expected.subList(0, 2), called);
      holder.putBack(1); // of one of these two
      holder.callNext();
      assertEquals(expected, called);
      assertEquals(0, permits.free());
    }
  }
}
