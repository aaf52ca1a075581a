package dev.catnap.agent.inside;

import static org.objectweb.asm.Opcodes.AALOAD;
import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.PUTSTATIC;
import static org.objectweb.asm.Opcodes.RETURN;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Makes {@code kotlinx.coroutines.Dispatchers} return other dispatchers. The class is as it was,
 * save that
 *
 * <ul>
 *   <li>it has two more fields, which its initialiser sets at its end, by {@link HandoverCall};
 *   <li>{@code getDefault} and {@code getIO} return these.
 * </ul>
 *
 * <p>So the library's own dispatchers are made as ever; they start threads when they are used, and
 * are what is left if Catnap's cannot be made.
 */
final class DispatchersRewriter {
  static final String NAME = "kotlinx/coroutines/Dispatchers";

  static final String DISPATCHER = "Lkotlinx/coroutines/CoroutineDispatcher;";
  private static final String SCHEDULING = "kotlinx/coroutines/scheduling/";
  private static final String DEFAULT_FIELD = "catnap$Default";
  private static final String IO_FIELD = "catnap$IO";

  private final ClassNode type = new ClassNode();

  private DispatchersRewriter(byte[] classFile) {
    new ClassReader(classFile).accept(type, 0);
  }

  /**
   * Checks that the class is what we know, and changes it.
   *
   * @throws UnsupportedOperationException if it is another
   */
  static byte[] rewrite(byte[] classFile) {
    return new DispatchersRewriter(classFile).rewrite();
  }

  private byte[] rewrite() {
    MethodNode getDefault = method("getDefault", "()" + DISPATCHER);
    MethodNode getIo = method("getIO", "()" + DISPATCHER);
    FieldInsnNode ownDefault = returned(getDefault);
    FieldInsnNode ownIo = returned(getIo);
    check(ownDefault.owner.equals(NAME), "getDefault does not return its field");
    check(
        ownIo.owner.equals(NAME) || ownIo.owner.equals(SCHEDULING + "DefaultIoScheduler"),
        "getIO returns neither its field nor DefaultIoScheduler");
    MethodNode initialiser = method("<clinit>", "()V");
    checkSets(initialiser, "DefaultScheduler", ownDefault);
    if (ownIo.owner.equals(NAME)) {
      checkSets(initialiser, "DefaultIoScheduler", ownIo);
    }

    type.methods.add(HandoverCall.method(ownDefault, ownIo));
    initialiser.instructions.insertBefore(onlyReturn(initialiser), setFields());
    initialiser.maxStack = Math.max(initialiser.maxStack, 3);
    replaceField(getDefault, DEFAULT_FIELD);
    replaceField(getIo, IO_FIELD);
    ClassWriter writer = new ClassWriter(0);
    type.accept(writer);
    return writer.toByteArray();
  }

  // ---- what we know ----------------------------------------------------------------------------

  private MethodNode method(String name, String descriptor) {
    for (MethodNode method : type.methods) {
      if (method.name.equals(name) && method.desc.equals(descriptor)) {
        check((method.access & ACC_STATIC) != 0, name + " is not static");
        return method;
      }
    }
    throw unknown("it lacks " + name + descriptor);
  }

  /** The static field that a getter returns, and does nothing else. */
  private static FieldInsnNode returned(MethodNode getter) {
    List<AbstractInsnNode> code = code(getter);
    code.removeIf(instruction -> instruction.getOpcode() == CHECKCAST);
    check(
        code.size() == 2
            && code.get(0).getOpcode() == GETSTATIC
            && code.get(1).getOpcode() == ARETURN,
        getter.name + " does more than to return a field");
    return (FieldInsnNode) code.get(0);
  }

  private static void checkSets(MethodNode initialiser, String from, FieldInsnNode to) {
    List<AbstractInsnNode> code = code(initialiser);
    code.removeIf(instruction -> instruction.getOpcode() == CHECKCAST);
    for (int i = 1; i < code.size(); i++) {
      if (code.get(i - 1) instanceof FieldInsnNode source
          && code.get(i) instanceof FieldInsnNode target
          && source.getOpcode() == GETSTATIC
          && source.owner.equals(SCHEDULING + from)
          && target.getOpcode() == PUTSTATIC
          && target.name.equals(to.name)) {
        return;
      }
    }
    throw unknown("its field " + to.name + " is not set to " + from);
  }

  private static AbstractInsnNode onlyReturn(MethodNode initialiser) {
    List<AbstractInsnNode> code = code(initialiser);
    code.removeIf(instruction -> instruction.getOpcode() != RETURN);
    check(code.size() == 1, "its initialiser has " + code.size() + " ends");
    return code.get(0);
  }

  /** Without labels, lines and frames. */
  private static List<AbstractInsnNode> code(MethodNode method) {
    List<AbstractInsnNode> code = new ArrayList<>();
    for (AbstractInsnNode instruction : method.instructions) {
      if (instruction.getOpcode() >= 0) {
        code.add(instruction);
      }
    }
    return code;
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw unknown(what);
    }
  }

  private static UnsupportedOperationException unknown(String what) {
    return new UnsupportedOperationException(
        "the class Dispatchers is not one that the agent knows: " + what);
  }

  // ---- what we change --------------------------------------------------------------------------

  private InsnList setFields() {
    InsnList code = new InsnList();
    code.add(HandoverCall.call());
    code.add(new InsnNode(DUP));
    setField(code, 0, DEFAULT_FIELD);
    setField(code, 1, IO_FIELD);
    return code;
  }

  /** The array is on the stack, and is taken. */
  private void setField(InsnList code, int index, String name) {
    type.fields.add(
        new FieldNode(
            ACC_PRIVATE | ACC_STATIC | ACC_FINAL | ACC_SYNTHETIC, name, DISPATCHER, null, null));
    code.add(new InsnNode(ICONST_0 + index));
    code.add(new InsnNode(AALOAD));
    code.add(new TypeInsnNode(CHECKCAST, internalName(DISPATCHER)));
    code.add(new FieldInsnNode(PUTSTATIC, NAME, name, DISPATCHER));
  }

  private static void replaceField(MethodNode getter, String name) {
    getter.instructions.clear();
    getter.tryCatchBlocks.clear();
    getter.instructions.add(new FieldInsnNode(GETSTATIC, NAME, name, DISPATCHER));
    getter.instructions.add(new InsnNode(ARETURN));
  }

  private static String internalName(String descriptor) {
    return descriptor.substring(1, descriptor.length() - 1);
  }
}
