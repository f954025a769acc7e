//! Writes the lines and functions that ran as an lcov file.

use std::collections::BTreeMap;
use std::io::{self, Write};

use rustc_hash::FxHashMap;
use tracewright_image::Image;
use tracewright_sim::code::Code;

use crate::lines::Lines;
use crate::mangling::demangled;
use crate::names;
use crate::profile::Counts;

/// The lcov data of one source file.
#[derive(Debug, Default)]
struct OfFile {
    /// Line and count of each function, by name.
    functions: BTreeMap<String, (u32, u64)>,
    lines: BTreeMap<u32, u64>,
}

/// Writes the coverage of every line and every function of the program in the format of lcov.
///
/// A line ran as often as the most frequent of its first instructions in a function; copies of it in several functions
/// (inlining) add up. Without any debugging information functions are listed as if they were on line 1
/// of their file of code.
///
/// # Errors
/// When the file cannot be written.
pub fn lcov(image: &Image, counts: &Counts, into: &mut impl Write) -> io::Result<()> {
    let mut lines = Lines::of_image(image);
    let mut files: BTreeMap<String, OfFile> = BTreeMap::new();
    // Copies of a line, by the function that they are in.
    let mut copies: FxHashMap<(crate::lines::Line, Option<u64>), u64> = FxHashMap::default();
    let executed = |address: u64| counts.of(address).max(counts.of(address | 1));
    for range in image.regions() {
        for (address, line) in lines.pieces(range) {
            let function = image.function_at(address).map(|symbol| symbol.address);
            let most = copies.entry((line, function)).or_default();
            *most = executed(address).max(*most);
        }
    }
    for ((line, _), count) in copies {
        let of_file = files.entry(line.file.to_string()).or_default();
        *of_file.lines.entry(line.line).or_default() += count;
    }
    let parts = names::hot_parts(image);
    for symbol in image.functions().filter(|symbol| !parts.contains_key(&symbol.address)) {
        let count = executed(symbol.address);
        let (file, line) = match lines.at(symbol.address) {
            Some(line) => (line.file.to_string(), line.line),
            // In a program with debugging information, a function without it belongs to a library.
            None => match image.file_at(symbol.address) {
                Some(file) if lines.is_empty() => (file.path.display().to_string(), 1),
                _ => continue,
            },
        };
        let functions = &mut files.entry(file).or_default().functions;
        let entry = functions.entry(demangled(&symbol.name)).or_insert((line, 0));
        entry.1 += count;
    }
    for (name, of_file) in files {
        let hit = of_file.functions.values().filter(|(_, count)| *count > 0).count();
        writeln!(into, "TN:\nSF:{name}")?;
        for (function, (line, _)) in &of_file.functions {
            writeln!(into, "FN:{line},{function}")?;
        }
        for (function, (_, count)) in &of_file.functions {
            writeln!(into, "FNDA:{count},{function}")?;
        }
        writeln!(into, "FNF:{}\nFNH:{hit}", of_file.functions.len())?;
        for (line, count) in &of_file.lines {
            writeln!(into, "DA:{line},{count}")?;
        }
        let hit = of_file.lines.values().filter(|count| **count > 0).count();
        writeln!(into, "LF:{}\nLH:{hit}\nend_of_record", of_file.lines.len())?;
    }
    Ok(())
}
