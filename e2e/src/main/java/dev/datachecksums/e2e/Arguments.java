package dev.datachecksums.e2e;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What a program here was called with: options, each {@code --NAME=VALUE}, and sizes in megabytes, each a plain number. */
public final class Arguments {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

    private final Map<String, String> options;
    private final List<Integer> sizes;

    private Arguments(Map<String, String> options, List<Integer> sizes) {
        this.options = options;
        this.sizes = sizes;
    }

    /**
     * Reads a command line.
     *
     * @param known every option's name, and its value where the line names none; where that is a number, only numbers are taken
     * @throws IllegalArgumentException for anything else; its message says what is known
     */
    public static Arguments of(String[] line, Map<String, String> known) {
        Map<String, String> options = new HashMap<>(known);
        List<Integer> sizes = new ArrayList<>();
        for (String word : line) {
            String[] parts = word.replaceFirst("^--", "").split("=", 2);
            if (NUMBER.matcher(word).matches()) {
                sizes.add(Integer.valueOf(word));
            } else if (!word.startsWith("--") || parts.length != 2 || options.replace(parts[0], parts[1]) == null) {
                throw new IllegalArgumentException("unknown " + word
                        + "; known are sizes in MB and, each as --NAME=VALUE, these (with what holds otherwise): "
                        + new TreeMap<>(known));
            }
        }
        known.forEach((name, value) -> {
            String given = options.getOrDefault(name, value);
            if (NUMBER.matcher(value).matches() && !NUMBER.matcher(given).matches()) {
                throw new IllegalArgumentException("--" + name + " takes a whole number, not '" + given + "'");
            }
        });
        return new Arguments(options, sizes);
    }

    /** As {@link #of}; says what is wrong and ends the program with status 2 where something is. */
    public static Arguments orExit(String[] line, Map<String, String> known) {
        try {
            return of(line, known);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            throw e;
        }
    }

    /** The sizes that were named, in MB; where none was, the others. */
    public List<Integer> sizes(Integer... otherwise) {
        return sizes.isEmpty() ? List.of(otherwise) : sizes;
    }

    /** An option's value. */
    public String text(String name) {
        String value = options.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no option is named " + name);
        }
        return value;
    }

    /** The value of an option that takes numbers. */
    public int number(String name) {
        return Integer.parseInt(text(name));
    }
}
