package dev.catnap.agent.inside;

import static org.objectweb.asm.Opcodes.AASTORE;
import static org.objectweb.asm.Opcodes.ACC_PRIVATE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ACONST_NULL;
import static org.objectweb.asm.Opcodes.ANEWARRAY;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.CHECKCAST;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.GETSTATIC;
import static org.objectweb.asm.Opcodes.ICONST_0;
import static org.objectweb.asm.Opcodes.ICONST_1;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;

import dev.catnap.agent.Handover;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * A private method of the changed class, without a branch:
 *
 * <pre>
 *   Class&lt;?&gt; handover =
 *       Class.forName("dev.catnap.agent.Handover", true, ClassLoader.getSystemClassLoader());
 *   Class&lt;?&gt;[] types = {Class.class, Object.class, Object.class};
 *   return (Object[])
 *       handover
 *           .getMethod("dispatchers", types)
 *           .invoke(null, Dispatchers.class, ownDefault, ownIo);
 * </pre>
 *
 * <p>Only names of {@code java.base} are in it: nothing else need be visible where
 * kotlinx.coroutines is. That the JVM called the agent shows that the system class loader has it.
 */
final class HandoverCall {
  private static final String NAME = "catnap$dispatchers";
  private static final String DESCRIPTOR = "()[Ljava/lang/Object;";
  private static final String OBJECT = "java/lang/Object";
  private static final String CLASS = "java/lang/Class";

  private final MethodNode method =
      new MethodNode(ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC, NAME, DESCRIPTOR, null, null);

  private HandoverCall() {}

  /** Calls it: two dispatchers are on the stack then. */
  static MethodInsnNode call() {
    return new MethodInsnNode(INVOKESTATIC, DispatchersRewriter.NAME, NAME, DESCRIPTOR, false);
  }

  /** The two fields have the library's own dispatchers. */
  static MethodNode method(FieldInsnNode ownDefault, FieldInsnNode ownIo) {
    return new HandoverCall().write(ownDefault, ownIo);
  }

  private MethodNode write(FieldInsnNode ownDefault, FieldInsnNode ownIo) {
    method.visitLdcInsn(Handover.class.getName());
    method.visitInsn(ICONST_1);
    invoke(
        INVOKESTATIC, "java/lang/ClassLoader", "getSystemClassLoader", "()Ljava/lang/ClassLoader;");
    invoke(
        INVOKESTATIC,
        CLASS,
        "forName",
        "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
    method.visitLdcInsn("dispatchers");
    newArray(CLASS);
    element(0, () -> constant(CLASS));
    element(1, () -> constant(OBJECT));
    element(2, () -> constant(OBJECT));
    invoke(
        INVOKEVIRTUAL,
        CLASS,
        "getMethod",
        "(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;");
    method.visitInsn(ACONST_NULL);
    newArray(OBJECT);
    element(0, () -> constant(DispatchersRewriter.NAME));
    element(1, () -> read(ownDefault));
    element(2, () -> read(ownIo));
    invoke(
        INVOKEVIRTUAL,
        "java/lang/reflect/Method",
        "invoke",
        "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;");
    method.visitTypeInsn(CHECKCAST, "[L" + OBJECT + ';');
    method.visitInsn(ARETURN);
    method.visitMaxs(6, 0);
    return method;
  }

  private void invoke(int opcode, String owner, String name, String descriptor) {
    method.visitMethodInsn(opcode, owner, name, descriptor, false);
  }

  private void constant(String type) {
    method.visitLdcInsn(Type.getObjectType(type));
  }

  private void read(FieldInsnNode field) {
    method.visitFieldInsn(GETSTATIC, field.owner, field.name, field.desc);
  }

  /** Of three. */
  private void newArray(String type) {
    method.visitInsn(ICONST_0 + 3);
    method.visitTypeInsn(ANEWARRAY, type);
  }

  /** The array stays on the stack. */
  private void element(int index, Runnable value) {
    method.visitInsn(DUP);
    method.visitInsn(ICONST_0 + index);
    value.run();
    method.visitInsn(AASTORE);
  }
}
