package dev.catnap.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.agent.testing.Libraries;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * All of the library that the coroutine face refers to is there in each version that the agent
 * knows: no coroutine meets a {@link LinkageError} later (G12).
 */
class KnownVersionsTest {
  static final List<String> versions = Libraries.KNOWN;

  /** The {@code io()} of a scheduler with a thread per core, which the agent never makes. */
  private static final String NOT_OF_THE_AGENT = "/OutsideLane.class";

  @ParameterizedTest
  @FieldSource("versions")
  void nothingIsMissing(String version) throws Exception {
    List<ClassNode> face = face();
    assertTrue(face.size() > 10, "classes: " + face.size());
    URL[] library = {
      Libraries.coroutines(version).toUri().toURL(), Libraries.kotlin().toUri().toURL()
    };
    var missing = new TreeSet<String>();
    try (var loader = new URLClassLoader(library, ClassLoader.getPlatformClassLoader())) {
      for (ClassNode type : face) {
        for (MethodNode method : type.methods) {
          for (AbstractInsnNode instruction : method.instructions) {
            collect(instruction, loader, missing);
          }
        }
      }
    }
    assertEquals(List.of(), List.copyOf(missing));
  }

  private static void collect(AbstractInsnNode instruction, ClassLoader loader, Set<String> missing)
      throws Exception {
    if (instruction instanceof MethodInsnNode call && call.owner.startsWith("kotlin")) {
      if (supertypes(call.owner, loader).stream()
          .noneMatch(type -> hasMethod(type, call.name, call.desc))) {
        missing.add(call.owner + '.' + call.name + call.desc);
      }
    }
    if (instruction instanceof FieldInsnNode field && field.owner.startsWith("kotlin")) {
      if (supertypes(field.owner, loader).stream()
          .flatMap(type -> Arrays.stream(type.getDeclaredFields()))
          .noneMatch(found -> found.getName().equals(field.name))) {
        missing.add(field.owner + '.' + field.name);
      }
    }
  }

  private static boolean hasMethod(Class<?> type, String name, String descriptor) {
    if (name.equals("<init>")) {
      return Arrays.stream(type.getDeclaredConstructors())
          .anyMatch(found -> Type.getConstructorDescriptor(found).equals(descriptor));
    }
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(
            found ->
                found.getName().equals(name) && Type.getMethodDescriptor(found).equals(descriptor));
  }

  private static List<Class<?>> supertypes(String owner, ClassLoader loader) throws Exception {
    List<Class<?>> types = new ArrayList<>();
    types.add(Class.forName(owner.replace('/', '.'), false, loader));
    for (int i = 0; i < types.size(); i++) {
      Class<?> type = types.get(i);
      if (type.getSuperclass() != null) {
        types.add(type.getSuperclass());
      }
      types.addAll(List.of(type.getInterfaces()));
    }
    return types;
  }

  private static List<ClassNode> face() throws Exception {
    List<ClassNode> types = new ArrayList<>();
    Path agent = Path.of(System.getProperty("catnap.agent.jar"));
    try (JarFile jar = new JarFile(agent.toFile())) {
      for (JarEntry entry : jar.stream().toList()) {
        if (entry.getName().startsWith("META-INF/catnap/catnap-dispatcher/dev/catnap/coroutines/")
            && entry.getName().endsWith(".class")
            && !entry.getName().endsWith(NOT_OF_THE_AGENT)) {
          ClassNode type = new ClassNode();
          new ClassReader(jar.getInputStream(entry).readAllBytes()).accept(type, 0);
          types.add(type);
        }
      }
    }
    return types;
  }
}
