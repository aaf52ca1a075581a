package dev.catnap.loom.internal.jdk;

/**
 * A task that a virtual thread waits for, of a class that is ours: {@code shutdownNow} must not
 * strand it in the list of what it took back.
 */
public interface VirtualTask extends Runnable {}
