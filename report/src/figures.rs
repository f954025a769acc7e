//! Formats numbers for pages and plots.

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A ratio of two figures.
pub fn ratio(ratio: f64) -> String {
    format!("{ratio:.2}")
}

/// The longest length that is drawn on a common scale; longer bars would make the rest unreadable.
pub fn longest_of_scale(lengths: &[f64]) -> f64 {
    let mut sorted = lengths.to_vec();
    sorted.sort_by(f64::total_cmp);
    let most = OUTLIER * sorted.get(sorted.len() / 2).copied().unwrap_or(1.0);
    sorted.into_iter().filter(|length| *length <= most).fold(0.0, f64::max)
}

/// Multiple of the median length that is too long for the scale.
const OUTLIER: f64 = 3.0;

#[cfg(test)]
mod tests {
    #[test]
    fn digits_in_groups() {
        let grouped: Vec<String> = [0, 999, 1000, 1234567].map(super::grouped).into();
        assert_eq!(grouped, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_scale_leaves_out_what_is_far_longer() {
        let longest = |lengths: &[f64]| super::longest_of_scale(lengths);
        assert_eq!(longest(&[5.0, 4.0, 8.0]), 8.0);
        assert_eq!(longest(&[5.0, 4.0, 90.0, 16.0]), 16.0);
        assert_eq!(longest(&[]), 0.0);
    }
}
