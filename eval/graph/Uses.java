// What a Java compiler knows of a source tree, printed as lines: every definition and every use of one.
//
//   java Uses.java ROOT FILE…      paths relative to ROOT; nothing is compiled or written
//
//   D <number> <path> <line> <column> <name>      a type or a method
//   F <number> <path> <line> <column> <name>      a field
//   U <number> <path> <line> <column>
//
// Sources that lack their libraries are read as far as the compiler gets with them.

import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import javax.lang.model.element.Element;
import javax.tools.*;

public class Uses {
    static final Map<Element, Integer> numbers = new HashMap<>();
    static final PrintStream out = new PrintStream(new BufferedOutputStream(System.out));
    static Trees trees;
    static Path root;

    public static void main(String[] arguments) throws IOException {
        root = Path.of(arguments[0]);
        List<File> files = new ArrayList<>();
        for (int n = 1; n < arguments.length; n++) files.add(root.resolve(arguments[n]).toFile());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
        List<String> options = List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "1");
        JavacTask task = (JavacTask) compiler.getTask(
            Writer.nullWriter(), manager, any -> {}, options, null, manager.getJavaFileObjectsFromFiles(files));
        trees = Trees.instance(task);
        List<CompilationUnitTree> units = new ArrayList<>();
        task.parse().forEach(units::add);
        task.analyze();
        for (CompilationUnitTree unit : units) new Definitions(unit).scan(unit, null);
        for (CompilationUnitTree unit : units) new References(unit).scan(unit, null);
        out.flush();
    }

    static class Scanner extends TreePathScanner<Void, Void> {
        final CompilationUnitTree unit;
        final String path, text;

        Scanner(CompilationUnitTree unit) {
            this.unit = unit;
            path = root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/');
            String read;
            try {
                read = unit.getSourceFile().getCharContent(true).toString();
            } catch (IOException gone) {
                read = "";
            }
            text = read;
        }

        long end(Tree tree) {
            return tree == null ? -1 : trees.getSourcePositions().getEndPosition(unit, tree);
        }

        long start(Tree tree) {
            return trees.getSourcePositions().getStartPosition(unit, tree);
        }

        /** The first place of a name at or after a position. */
        int find(String name, long from) {
            Matcher found = Pattern.compile("\\b" + Pattern.quote(name) + "\\b").matcher(text);
            return from >= 0 && from <= text.length() && found.find((int) from) ? found.start() : -1;
        }

        void print(String what, int at, String more) {
            LineMap lines = unit.getLineMap();
            out.println(what + " " + path + " " + lines.getLineNumber(at) + " " + (lines.getColumnNumber(at) - 1) + more);
        }
    }

    static class Definitions extends Scanner {
        Definitions(CompilationUnitTree unit) {
            super(unit);
        }

        void define(String what, String name, long from) {
            Element element = trees.getElement(getCurrentPath());
            int at = find(name, from);
            if (element == null || at < 0) return;
            numbers.put(element, numbers.size());
            print(what + " " + numbers.get(element), at, " " + name);
        }

        @Override
        public Void visitVariable(VariableTree tree, Void none) {
            boolean isField = getCurrentPath().getParentPath().getLeaf() instanceof ClassTree;
            long from = Math.max(Math.max(start(tree), end(tree.getModifiers())), end(tree.getType()));
            if (isField) define("F", tree.getName().toString(), from);
            return super.visitVariable(tree, none);
        }

        @Override
        public Void visitClass(ClassTree tree, Void none) {
            String name = tree.getSimpleName().toString();
            if (!name.isEmpty()) define("D", name, Math.max(start(tree), end(tree.getModifiers())));
            return super.visitClass(tree, none);
        }

        @Override
        public Void visitMethod(MethodTree tree, Void none) {
            boolean isNew = tree.getName().contentEquals("<init>");
            Tree around = getCurrentPath().getParentPath().getLeaf();
            String name = isNew ? ((ClassTree) around).getSimpleName().toString() : tree.getName().toString();
            long from = Math.max(Math.max(start(tree), end(tree.getModifiers())), end(tree.getReturnType()));
            // One that is not written stands where its class does.
            boolean isWritten = end(tree) > start(tree) && !(isNew && start(tree) == start(around));
            if (isWritten && !name.isEmpty()) define("D", name, from);
            return super.visitMethod(tree, none);
        }
    }

    static class References extends Scanner {
        References(CompilationUnitTree unit) {
            super(unit);
        }

        void use(int at) {
            Integer number = numbers.get(trees.getElement(getCurrentPath()));
            if (number != null && at >= 0) print("U " + number, at, "");
        }

        @Override
        public Void visitIdentifier(IdentifierTree tree, Void none) {
            use((int) start(tree));
            return super.visitIdentifier(tree, none);
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree tree, Void none) {
            use((int) end(tree) - tree.getIdentifier().length());
            return super.visitMemberSelect(tree, none);
        }

        @Override
        public Void visitMemberReference(MemberReferenceTree tree, Void none) {
            use((int) end(tree) - tree.getName().length());
            return super.visitMemberReference(tree, none);
        }
    }
}
