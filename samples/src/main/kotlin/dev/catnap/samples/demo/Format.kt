package dev.catnap.samples.demo

import java.util.Locale

/** 1234567 as 1,234,567. */
fun count(n: Number): String = "%,d".format(Locale.ROOT, n.toLong())

/** 1 file, 2 files. */
fun files(n: Number): String = if (n.toLong() == 1L) "1 file" else "${count(n)} files"

/** 213 MB. */
fun size(bytes: Long): String =
    when {
        bytes >= 1_000_000 -> "${count(bytes / 1_000_000)} MB"
        bytes >= 1_000 -> "${bytes / 1_000} kB"
        else -> "$bytes bytes"
    }

/** Nanoseconds as seconds: 2.41. */
fun seconds(nanos: Number): String = fixed(nanos.toDouble() / 1e9)

/** Nanoseconds as milliseconds: 0.34. */
fun millis(nanos: Number): String = fixed(nanos.toDouble() / 1e6)

fun fixed(x: Double): String = "%.2f".format(Locale.ROOT, x)

/** Lines of cells in columns: the first one flush left, the others flush right. */
fun table(rows: List<List<String>>, gap: String = "   "): String {
    val widths = List(rows.maxOf { it.size }) { i -> rows.maxOf { it.getOrElse(i) { "" }.length } }
    return rows.joinToString("\n") { row ->
        row.mapIndexed { i, cell ->
                if (i == 0) cell.padEnd(widths[i]) else cell.padStart(widths[i])
            }
            .joinToString(gap)
            .trimEnd()
    }
}
