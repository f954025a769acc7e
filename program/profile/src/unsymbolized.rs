//! Profiles for `llvm-profgen --unsymbolized-profile`.

use std::io::Write;

use crate::error::Error;
use crate::part::{Branch, OfFile, Range};

/// Writes the number of ranges, `FROM-TO:COUNT` for each, the number of branches, and `FROM->TO:COUNT` for each, with
/// addresses in hexadecimal as offsets from the page with the first byte of code, `base`.
///
/// Branches from or to other files are left out: the format has no place for them.
///
/// # Errors
/// When the file cannot be written.
pub fn write(of_file: &OfFile, base: u64, into: &mut impl Write) -> Result<(), Error> {
    let offset = |address: u64| address.wrapping_sub(base);
    writeln!(into, "{}", of_file.ranges.len())?;
    for Range { first, last, count } in &of_file.ranges {
        writeln!(into, "{:x}-{:x}:{count}", offset(*first), offset(*last))?;
    }
    let inside = of_file.branches.iter();
    let inside: Vec<(u64, u64, u64)> = inside
        .filter_map(|Branch { from, to, count, .. }| Some(((*from)?, (*to)?, *count)))
        .collect();
    writeln!(into, "{}", inside.len())?;
    for (from, to, count) in inside {
        writeln!(into, "{:x}->{:x}:{count}", offset(from), offset(to))?;
    }
    Ok(())
}
