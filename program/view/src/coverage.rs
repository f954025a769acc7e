//! Writes the lines and functions that ran as an lcov file.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::ops::Range;

use rustc_hash::FxHashMap;
use tracewright_image::{File, Image, InstructionSet, Symbol};
use tracewright_sim::code::Code;

use crate::lines::{Lines, has_lines};
use crate::mangling::demangled;
use crate::names;
use crate::profile::Counts;

/// The lcov data of one source file.
#[derive(Debug, Default)]
struct OfFile {
    /// Line and count of each function, by name.
    functions: BTreeMap<String, (u32, u64)>,
    lines: BTreeMap<u32, u64>,
    /// The conditional branches of each line by ascending address: how often each went on and how often it was taken;
    /// `None` for one that did not run.
    branches: BTreeMap<u32, Vec<Option<[u64; 2]>>>,
}

/// Writes the coverage of every line, every function and every conditional branch of the program in the format of lcov.
///
/// A line ran as often as the most frequent of its first instructions in a function; copies of it in several functions
/// (inlining) add up. Each conditional branch in the code of a line is a block of two branches: 0 where it goes on, 1
/// where it is taken. Without any debugging information functions are listed as if they were on line 1
/// of their file of code.
///
/// Libraries are left out: of a program's files only the first one counts, and those that have their debugging
/// information in themselves, as what one compiles oneself has. Systems install that of their libraries in files of
/// its own.
///
/// # Errors
/// When the file cannot be written.
pub fn lcov(image: &Image, counts: &Counts, into: &mut impl Write) -> io::Result<()> {
    let own = image.files().iter().enumerate().map(|(number, file)| number == 0 || is_own(file));
    let own: Vec<bool> = own.collect();
    let is_of_library = |address: u64| {
        image.owner_at(address).is_some_and(|file| !own.get(file as usize).copied().unwrap_or(true))
    };
    let mut lines = Lines::of_files(
        image.files().iter().zip(&own).filter_map(|(file, own)| own.then_some(file)),
    );
    let mut files: BTreeMap<String, OfFile> = BTreeMap::new();
    // Copies of a line, by the function that they are in.
    let mut copies: FxHashMap<(crate::lines::Line, Option<u64>), u64> = FxHashMap::default();
    let executed = |address: u64| counts.of(address).max(counts.of(address | 1));
    for range in image.regions().into_iter().filter(|range| !is_of_library(range.start)) {
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
    let functions = image.functions().filter(|symbol| !is_of_library(symbol.address));
    for symbol in functions.filter(|symbol| !parts.contains_key(&symbol.address)) {
        let count = executed(symbol.address);
        let declared = lines.declared(symbol.address);
        let (file, line) = match declared.or_else(|| lines.at(symbol.address)) {
            Some(line) => (line.file.to_string(), line.line),
            // In a program with debugging information, a function without it belongs to a library.
            None => match image.file_at(symbol.address) {
                Some(file) if lines.is_empty() => (file.path.display().to_string(), 1),
                _ => continue,
            },
        };
        let of_file = files.entry(file).or_default();
        if !lines.is_empty() {
            of_file.declare(line, count);
        }
        let entry = of_file.functions.entry(told(&symbol.name)).or_insert((line, 0));
        entry.1 += count;
    }
    for (name, line) in lines.copies() {
        let of_file = files.entry(line.file.to_string()).or_default();
        of_file.declare(line.line, 0);
        of_file.functions.entry(told(&name)).or_insert((line.line, 0));
    }
    files.values_mut().for_each(OfFile::count_copies);
    let known: Vec<&Symbol> =
        image.functions().filter(|symbol| !is_of_library(symbol.address)).collect();
    for (address, branch) in conditional_branches(image, counts, &known) {
        if let Some(line) = lines.at(address) {
            let of_file = files.entry(line.file.to_string()).or_default();
            of_file.branches.entry(line.line).or_default().push(branch);
        }
    }
    for (name, of_file) in files {
        writeln!(into, "TN:\nSF:{name}")?;
        of_file.write(into)?;
    }
    Ok(())
}

/// The conditional branches of functions by ascending address, each once: how often it went on and how often it was
/// taken; `None` for one that did not run.
///
/// Whether the code of an ARM function is A32 or Thumb is known only if it ran.
fn conditional_branches(
    image: &Image,
    counts: &Counts,
    functions: &[&Symbol],
) -> BTreeMap<u64, Option<[u64; 2]>> {
    let is_arm = image.instruction_set() == InstructionSet::Arm;
    let mut branches = BTreeMap::new();
    for symbol in functions {
        let Range { start, end } = symbol.address..symbol.address.saturating_add(symbol.size);
        let ran = counts.within(start, end).first().map(|(address, _)| *address);
        let Some(thumb) = ran.map(|address| address & 1).or((!is_arm).then_some(0)) else {
            continue;
        };
        let mut address = if is_arm { start | thumb } else { start };
        while address < end {
            let Some(instruction) = image.instruction(address) else { break };
            if instruction.branch.is_some_and(|branch| branch.kind.is_conditional()) {
                let site = counts.site(address);
                let ran = site.map(|site| [site.executed.saturating_sub(site.taken), site.taken]);
                branches.insert(image.instruction_set().byte_address(address), ran);
            }
            address = address.saturating_add(instruction.length.into());
        }
    }
    branches
}

impl OfFile {
    /// Has the line of a function, also where it has no code of its own: it ran as often as the function at least.
    fn declare(&mut self, line: u32, count: u64) {
        let known = self.lines.entry(line).or_default();
        *known = count.max(*known);
    }

    /// Counts the functions that ran where they were put into others alone: as often as the most frequent of their
    /// lines, up to the next function's.
    fn count_copies(&mut self) {
        let begins: BTreeSet<u32> = self.functions.values().map(|(line, _)| *line).collect();
        for (line, count) in self.functions.values_mut().filter(|(_, count)| *count == 0) {
            let end = begins.range(line.saturating_add(1)..).next().copied().unwrap_or(u32::MAX);
            *count = self.lines.range(*line..end).map(|(_, count)| *count).max().unwrap_or(0);
        }
    }

    /// False for a line that ran and whose branches did not, because they are in other parts of its code: genhtml takes
    /// that for damage.
    fn tells_branches(&self, line: u32) -> bool {
        let ran = self.lines.get(&line).is_some_and(|count| *count > 0);
        !ran || self.branches.get(&line).is_some_and(|all| all.iter().any(Option::is_some))
    }

    fn write(&self, into: &mut impl Write) -> io::Result<()> {
        for (function, (line, _)) in &self.functions {
            writeln!(into, "FN:{line},{function}")?;
        }
        for (function, (_, count)) in &self.functions {
            writeln!(into, "FNDA:{count},{function}")?;
        }
        let hit = self.functions.values().filter(|(_, count)| *count > 0).count();
        writeln!(into, "FNF:{}\nFNH:{hit}", self.functions.len())?;
        let (mut found, mut hit) = (0, 0);
        for (line, branches) in self.branches.iter().filter(|(line, _)| self.tells_branches(**line))
        {
            for (block, branch) in branches.iter().enumerate() {
                for way in 0..2 {
                    let count = branch.map(|counts| counts[way]);
                    let said = count.map_or("-".into(), |count| count.to_string());
                    writeln!(into, "BRDA:{line},{block},{way},{said}")?;
                    found += 1;
                    hit += usize::from(count.is_some_and(|count| count > 0));
                }
            }
        }
        if found > 0 {
            writeln!(into, "BRF:{found}\nBRH:{hit}")?;
        }
        for (line, count) in &self.lines {
            writeln!(into, "DA:{line},{count}")?;
        }
        let hit = self.lines.values().filter(|count| **count > 0).count();
        writeln!(into, "LF:{}\nLH:{hit}\nend_of_record", self.lines.len())
    }
}

/// The name of a function. genhtml takes one with `{lambda(` in it for a lambda, which has no last line: what only has a
/// lambda's type as an argument is written with other brackets.
fn told(name: &str) -> String {
    let name = demangled(name);
    let mut depth = 0u32;
    for (place, sign) in name.char_indices() {
        match sign {
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            '}' if depth == 0 && name[place..].starts_with("}::") => return name,
            _ => {}
        }
    }
    let mut parts = name.split("{lambda(");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |told, part| told + "<lambda(" + &part.replacen('}', ">", 1))
}

/// True if a file has its debugging information in itself.
fn is_own(file: &File) -> bool {
    file.debug_data.is_none() && has_lines(file)
}
