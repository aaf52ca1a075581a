package dev.catnap.benchmarks.runner;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON: objects as maps, arrays as lists, numbers as doubles. As much as our own raw data
 * need, and JMH's in between.
 */
final class Json {
  private static final int HEX = 16;
  private static final int HEX_DIGITS = 4;

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /**
   * Reads a document.
   *
   * @throws IllegalArgumentException if it is none
   */
  static @Nullable Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    if (json.peek() != 0) {
      throw json.unexpected();
    }
    return value;
  }

  private @Nullable Object value() {
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case 't' -> word("true", true);
      case 'f' -> word("false", false);
      case 'n' -> word("null", null);
      default -> number();
    };
  }

  private Map<String, @Nullable Object> object() {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    expect('{');
    while (peek() != '}') {
      if (!members.isEmpty()) {
        expect(',');
      }
      String name = string();
      expect(':');
      members.put(name, value());
    }
    expect('}');
    return members;
  }

  private List<@Nullable Object> array() {
    List<@Nullable Object> elements = new ArrayList<>();
    expect('[');
    while (peek() != ']') {
      if (!elements.isEmpty()) {
        expect(',');
      }
      elements.add(value());
    }
    expect(']');
    return elements;
  }

  private String string() {
    expect('"');
    StringBuilder read = new StringBuilder();
    for (char c = next(); c != '"'; c = next()) {
      read.append(c == '\\' ? escaped() : c);
    }
    return read.toString();
  }

  private char escaped() {
    char c = next();
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < HEX_DIGITS; i++) {
          digits.append(next());
        }
        yield (char) Integer.parseInt(digits.toString(), HEX);
      }
      default -> c;
    };
  }

  private @Nullable Object word(String word, @Nullable Object value) {
    if (!text.startsWith(word, at)) {
      throw unexpected();
    }
    at += word.length();
    return value;
  }

  private Double number() {
    int start = at;
    while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (at == start) {
      throw unexpected();
    }
    return Double.valueOf(text.substring(start, at));
  }

  /** The next character that is not white space; 0 at the end. */
  private char peek() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void expect(char c) {
    if (peek() != c) {
      throw unexpected();
    }
    at++;
  }

  private char next() {
    if (at == text.length()) {
      throw unexpected();
    }
    return text.charAt(at++);
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("not the JSON that was expected, at character " + at);
  }
}
