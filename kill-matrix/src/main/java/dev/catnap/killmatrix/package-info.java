/**
 * The kill matrix: wrong versions of the production sources, and which checker notices each.
 *
 * <p>{@link dev.catnap.killmatrix.Mutant} says what is changed, {@link
 * dev.catnap.killmatrix.MutantFile} reads it, {@link dev.catnap.killmatrix.MutatedClasses} makes
 * it, {@link dev.catnap.killmatrix.Check} runs one checker on it in a JVM of its own, and {@link
 * dev.catnap.killmatrix.Page} writes down what came out.
 */
@NullMarked
package dev.catnap.killmatrix;

import org.jspecify.annotations.NullMarked;
