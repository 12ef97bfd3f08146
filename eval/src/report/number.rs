//! Numbers as people read them.

/// A number in at most six characters or so: `0.0012`, `1.25`, `180`, `12.5k`, `3.4M`.
pub(crate) fn compact(value: f64) -> String {
    let size = value.abs();
    let (scaled, unit) = match size {
        _ if size >= 1e9 => (value / 1e9, "G"),
        _ if size >= 1e6 => (value / 1e6, "M"),
        _ if size >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let digits = match scaled.abs() {
        scaled if scaled >= 100.0 || scaled == 0.0 => 0,
        scaled if scaled >= 10.0 => 1,
        scaled if scaled >= 0.1 => 2,
        scaled if scaled >= 1e-6 => 1 + (-scaled.log10()).ceil() as usize,
        _ => 8,
    };
    let text = format!("{scaled:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{unit}")
}

/// A share of a whole: `12 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// A count with its thousands apart: `1 234 567`.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            // A narrow space that does not break.
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A time in its two largest units: `45 s`, `8 min 3 s`, `2 h 5 min`, `3 d 4 h`.
pub(crate) fn duration(seconds: f64) -> String {
    let seconds = seconds.max(0.0).round() as u64;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{minutes} min {} s", seconds % 60),
        3600..86_400 => format!("{hours} h {} min", minutes % 60),
        _ => format!("{days} d {} h", hours % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (0.00123, "0.0012"),
            (0.25, "0.25"),
            (-0.5, "-0.5"),
            (1.0, "1"),
            (2.345, "2.35"),
            (41.96, "42"),
            (180.4, "180"),
            (9999.0, "9999"),
            (12_500.0, "12.5k"),
            (3_400_000.0, "3.4M"),
            (200_000.0, "200k"),
        ] {
            assert_eq!(compact(value), text);
        }
    }

    #[test]
    fn counts_have_their_thousands_apart() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
    }

    #[test]
    fn times_have_two_units() {
        for (seconds, text) in [(0.4, "0 s"), (483.0, "8 min 3 s"), (7500.0, "2 h 5 min"), (273_600.0, "3 d 4 h")] {
            assert_eq!(duration(seconds), text);
        }
    }
}
