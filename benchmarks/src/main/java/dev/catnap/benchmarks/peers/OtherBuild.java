package dev.catnap.benchmarks.peers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Catnap as it was built in another checkout, such as one of an earlier commit: the workloads and
 * everything else are those of this one.
 *
 * @param subject how Catnap runs in the case
 * @param checkout the root folder of the other one
 */
public record OtherBuild(Peer subject, Path checkout) implements Peer {
  /** What schedules; the agent, which only row H1 uses, aside. */
  private static final List<String> MODULES = List.of("core", "dispatcher", "loom-scheduler");

  @Override
  public String name() {
    return subject.name();
  }

  @Override
  public String label() {
    return subject.label() + " of " + checkout.toAbsolutePath().normalize().getFileName();
  }

  /**
   * Where its classes are. On a class path they have to come before those of this build.
   *
   * @param checkout the root folder
   * @return the folders
   * @throws IllegalArgumentException if one is missing
   */
  public static List<Path> classes(Path checkout) {
    List<Path> folders =
        MODULES.stream()
            .map(module -> checkout.resolve(module).resolve("target").resolve("classes"))
            .toList();
    for (Path folder : folders) {
      if (!Files.isDirectory(folder.resolve("dev"))) {
        throw new IllegalArgumentException(
            "no build of Catnap in "
                + checkout
                + ", there are no classes in "
                + folder
                + "; build it there: mvn -q -pl benchmarks -am package -Dmaven.test.skip=true"
                + " -Dquick");
      }
    }
    return folders;
  }
}
