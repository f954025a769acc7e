//! Numbers of things as arguments: `1000000`, `1_000_000` and `1M` are the same.

/// The suffixes, and what each multiplies with. The names of powers of two are those of IEC 80000-13.
const SUFFIXES: [(&str, u64); 8] = [
    ("Ki", 1 << 10),
    ("Mi", 1 << 20),
    ("Gi", 1 << 30),
    ("Ti", 1 << 40),
    ("K", 1_000),
    ("M", 1_000_000),
    ("G", 1_000_000_000),
    ("T", 1_000_000_000_000),
];

/// Reads a count: a whole number, which may end in K, M, G or T for thousand, million and so on, or in Ki, Mi, Gi or
/// Ti for powers of
/// 1024. Letters may be small, and `_` may stand between digits.
///
/// # Errors
/// When it is no such number, or has more than 64 bits.
pub fn parse(text: &str) -> Result<u64, String> {
    let expected = || "expected a whole number, such as 1000000, 1_000_000 or 1M".to_owned();
    let (digits, factor) = parts(text);
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit())
        && digits.chars().all(|digit| digit.is_ascii_digit() || digit == '_');
    if !is_number {
        return Err(expected());
    }
    let number = digits.replace('_', "").parse::<u64>().ok();
    number
        .and_then(|number| number.checked_mul(factor))
        .ok_or_else(|| format!("expected at most {}", u64::MAX))
}

/// What is before the suffix, and what that multiplies with.
fn parts(text: &str) -> (&str, u64) {
    let ends = |suffix: &str| {
        let at = text.len().checked_sub(suffix.len())?;
        text.get(at..)?.eq_ignore_ascii_case(suffix).then(|| &text[..at])
    };
    let found = SUFFIXES.iter().find_map(|(suffix, factor)| Some((ends(suffix)?, *factor)));
    found.unwrap_or((text, 1))
}

/// Reads a number above 0, which may have a fraction, and a suffix as those of [`parse`].
///
/// # Errors
/// When it is none.
pub fn above_zero(text: &str) -> Result<f64, String> {
    let (digits, factor) = parts(text);
    // Words such as `inf` are numbers too.
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    let number = digits.replace('_', "").parse::<f64>().ok().filter(|_| is_number);
    let number = number.map(|number| number * factor as f64);
    number
        .filter(|number| *number > 0.0 && number.is_finite())
        .ok_or_else(|| "expected a number above 0, such as 0.05, 4000 or 4K".to_owned())
}

/// Reads a count as [`parse`] does, of at least `least` and at most what `T` can hold.
pub fn at_least<T: TryFrom<u64>>(
    least: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync {
    move |text| {
        let number = parse(text)?;
        if number < least {
            return Err(format!("expected at least {least}"));
        }
        T::try_from(number)
            .map_err(|_| format!("expected less than 2^{}", 8 * std::mem::size_of::<T>()))
    }
}
