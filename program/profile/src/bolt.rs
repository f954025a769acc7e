//! Profiles for BOLT, in the pre-aggregated form that `perf2bolt -pa` reads.

use std::io::Write;

use crate::error::Error;
use crate::part::{Branch, FilePart, OfFile, Range};

/// Writes `B FROM TO COUNT MISPREDICTED` for every taken branch and `F FROM TO COUNT` for every straight range, with
/// addresses of the file in hexadecimal.
///
/// A place in another file is 0, which BOLT counts as none of the file's functions. A trace does not say what the
/// processor's own predictor would have mispredicted: 0. Ranges in stubs of the linkage table are left out, because BOLT
/// does not disassemble them and would count them as mismatches.
///
/// # Errors
/// When the file cannot be written.
pub fn write(part: &FilePart, of_file: &OfFile, into: &mut impl Write) -> Result<(), Error> {
    for Branch { from, to, count, .. } in &of_file.branches {
        let (from, to) = (from.unwrap_or(0), to.unwrap_or(0));
        writeln!(into, "B {from:x} {to:x} {count} 0")?;
    }
    let stubs = part.stubs();
    let is_stub = |range: &&Range| stubs.iter().any(|stub| stub.contains(&range.first));
    let ranges = of_file.ranges.iter().filter(|range| !is_stub(range));
    for Range { first, last, count } in ranges {
        writeln!(into, "F {first:x} {last:x} {count}")?;
    }
    Ok(())
}
