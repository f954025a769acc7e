//! Numbers as pages and plots write them.

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

#[cfg(test)]
mod tests {
    #[test]
    fn digits_in_groups() {
        let grouped: Vec<String> = [0, 999, 1000, 1234567].map(super::grouped).into();
        assert_eq!(grouped, ["0", "999", "1,000", "1,234,567"]);
    }
}
