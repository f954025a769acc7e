//! Sample profiles as text, for `clang -fprofile-sample-use`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use crate::error::Error;
use crate::samples::{Position, Samples};

/// Writes `function:total:entered` for every function, the one with the most first, and below it
/// ` line.discriminator: count callee:count` for its places and ` line: callee:total` for the functions that were put into
/// it.
///
/// # Errors
/// When the file cannot be written.
pub fn write(all: &BTreeMap<Arc<str>, Samples>, into: &mut impl Write) -> Result<(), Error> {
    let mut functions: Vec<_> = all.iter().map(|(name, samples)| (samples.total(), name)).collect();
    functions.sort_by_key(|(total, name)| (std::cmp::Reverse(*total), Arc::clone(name)));
    for (total, name) in functions {
        let samples = &all[name];
        writeln!(into, "{name}:{total}:{}", samples.head)?;
        of_function(samples, 1, into)?;
    }
    Ok(())
}

fn of_function(samples: &Samples, depth: usize, into: &mut impl Write) -> io::Result<()> {
    for (position, counted) in &samples.places {
        write!(into, "{:depth$}{}: {}", "", said(*position), counted.count)?;
        let mut targets: Vec<_> = counted.targets.iter().collect();
        targets.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), Arc::clone(name)));
        for (name, count) in targets {
            write!(into, " {name}:{count}")?;
        }
        writeln!(into)?;
    }
    for ((position, name), inlined) in &samples.inlined {
        writeln!(into, "{:depth$}{}: {name}:{}", "", said(*position), inlined.total())?;
        of_function(inlined, depth + 1, into)?;
    }
    Ok(())
}

fn said((line, discriminator): Position) -> String {
    match discriminator {
        0 => line.to_string(),
        _ => format!("{line}.{discriminator}"),
    }
}
