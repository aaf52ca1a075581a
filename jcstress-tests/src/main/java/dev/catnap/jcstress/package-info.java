/**
 * JCStress tests of the pairs of accesses whose order the protocol relies on, as the production
 * classes make them. README.md of this module has the table of what each shows and what this
 * machine cannot show.
 */
@NullMarked
package dev.catnap.jcstress;

import org.jspecify.annotations.NullMarked;
