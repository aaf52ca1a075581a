package dev.catnap.agent.inside;

import dev.catnap.agent.Complaint;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Sees every class that is loaded, and changes one: {@code kotlinx.coroutines.Dispatchers}, in
 * whatever loader. Keeps nothing of what it sees.
 */
public final class DispatchersTransformer implements ClassFileTransformer {

  /** For the agent. */
  public DispatchersTransformer() {}

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String className,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    if (!DispatchersRewriter.NAME.equals(className)) {
      return null;
    }
    if (redefined != null) {
      return null; // it was changed when it was loaded, or could not be
    }
    try {
      KnownVersions.check(loader, domain);
      return DispatchersRewriter.rewrite(classFile);
    } catch (IOException | RuntimeException | LinkageError e) {
      Complaint.coroutinesStay(e);
      return null;
    }
  }
}
