//! Writes the list of a captured machine's code: of files that ran in it, and of what ran from none of them.

use std::io::{BufWriter, Write};

use anyhow::Result;
use object::{Object, ObjectSymbol, SymbolKind};
use tracewright_capture::{CodeRange, ContextCode, Segment, Target};
use tracewright_image::identity::Identity;
use tracewright_image::list::Placed;

use super::code_file;
use super::image_list::{Beside, line_of, with_ending};
use super::paths::{Input, OutputFile};

/// A file that may run in the machine.
pub struct Candidate {
    placed: Placed,
    /// Its code at its addresses in the machine.
    code: Vec<CodeRange>,
    /// Its functions, at their addresses in the machine.
    functions: Vec<(u64, String)>,
}

/// How much of some code is a file's.
#[derive(Default)]
struct Overlap {
    same: u64,
    other: u64,
}

impl Overlap {
    /// True if the file can stand for the code at its addresses.
    fn is_whole(&self) -> bool {
        self.same > 0 && self.other == 0
    }

    /// True for a file of names alone, and for code that was patched while it ran, as a kernel's: at most every tenth
    /// byte is another.
    fn has_names(&self) -> bool {
        self.other <= self.same / 10
    }
}

impl Candidate {
    /// Reads a file.
    ///
    /// # Errors
    /// When it does not exist.
    pub fn read(placed: &Placed) -> Result<Candidate> {
        Input::found(&placed.path)?;
        let load_address = placed.load_address;
        let at = |segment: Segment| (segment.address.wrapping_add(load_address), segment.bytes);
        let code = Segment::all(&placed.path).into_iter().map(at).collect();
        let functions = functions(&Input::found(&placed.path)?.bytes()?, load_address);
        let identity = Identity::of_file(&placed.path);
        Ok(Candidate { placed: Placed { identity, ..placed.clone() }, code, functions })
    }

    /// The byte at an address, if the file has code there.
    fn byte(&self, address: u64) -> Option<u8> {
        self.code.iter().find_map(|(start, code)| {
            code.get(usize::try_from(address.checked_sub(*start)?).ok()?).copied()
        })
    }

    /// How much of some code is of this file.
    fn overlap(&self, code: &[CodeRange]) -> Overlap {
        let mut overlap = Overlap::default();
        for (address, byte) in code.iter().flat_map(bytes_of) {
            match self.byte(address) {
                Some(expected) if expected == byte => overlap.same += 1,
                Some(_) => overlap.other += 1,
                None => {}
            }
        }
        overlap
    }
}

/// The functions of an ELF file.
fn functions(data: &[u8], load_address: u64) -> Vec<(u64, String)> {
    let Ok(file) = object::File::parse(data) else { return Vec::new() };
    let functions =
        file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && !symbol.is_undefined());
    functions
        .filter_map(|symbol| {
            let name = symbol.name().ok().filter(|name| !name.is_empty())?;
            Some((symbol.address().wrapping_add(load_address), name.to_owned()))
        })
        .collect()
}

fn bytes_of((start, code): &CodeRange) -> impl Iterator<Item = (u64, u8)> {
    (*start..=u64::MAX).zip(code.iter().copied())
}

/// The code of some contexts, by what it is from.
struct Parts<'a> {
    /// The files that stand for a part of it.
    files: Vec<&'a Placed>,
    /// What is of none of them.
    rest: Vec<CodeRange>,
    /// The names of functions in it.
    named: Vec<(u64, String)>,
}

fn parts<'a>(program: &ContextCode, candidates: &'a [Candidate]) -> Parts<'a> {
    let mut parts = Parts { files: Vec::new(), rest: program.code.clone(), named: Vec::new() };
    for candidate in candidates {
        let overlap = candidate.overlap(&program.code);
        if overlap.is_whole() {
            parts.files.push(&candidate.placed);
            parts.rest = without(&parts.rest, candidate);
        } else if overlap.has_names() {
            parts.named.extend(candidate.functions.iter().cloned());
        }
    }
    let Parts { rest, named, .. } = &mut parts;
    named.retain(|(address, _)| is_in(rest, *address));
    parts
}

/// Bytes of code of no file.
pub fn loose_bytes(programs: &[ContextCode], candidates: &[Candidate]) -> u64 {
    let rest = programs.iter().flat_map(|program| parts(program, candidates).rest);
    rest.map(|(_, code)| code.len() as u64).sum()
}

/// Writes the list, the code of no file, and the changes of code; the files of a context that contradicts others have a
/// number at the end of their names.
///
/// # Errors
/// When a file cannot be written.
pub fn write(
    path: &OutputFile,
    target: &Target,
    programs: &[ContextCode],
    candidates: &[Candidate],
) -> Result<Beside> {
    let mut list = path.create()?;
    let mut beside = Beside::default();
    for (number, program) in programs.iter().enumerate() {
        let Parts { files, rest, named } = parts(program, candidates);
        let mut lines: Vec<String> = files.iter().map(ToString::to_string).collect();
        let name = |ending: &str| match number {
            0 => with_ending(path, ending),
            _ => with_ending(path, &format!("{ending}-{number}")),
        };
        if !rest.is_empty() {
            let name = name(".code");
            let mut file = OutputFile::new(&name)?.create()?;
            file.write_all(&code_file::elf(target.instruction_set, &rest, &named)?)?;
            file.commit()?;
            lines.push(line_of(&name));
            beside.code.get_or_insert(name);
        }
        if !program.changes.is_empty() {
            let name = name(".changes");
            let mut file = BufWriter::new(OutputFile::new(&name)?.create()?);
            program.changes.write(&mut file)?;
            file.into_inner().map_err(|error| error.into_error())?.commit()?;
            lines.push(line_of(&name));
            beside.changes.get_or_insert(name);
        }
        let contexts = program.contexts.iter().copied().map(Some);
        let contexts: Vec<Option<u64>> = if number == 0 { vec![None] } else { contexts.collect() };
        for (context, line) in
            contexts.iter().flat_map(|of| lines.iter().map(move |line| (of, line)))
        {
            match context {
                Some(context) => writeln!(list, "{context}={line}")?,
                None => writeln!(list, "{line}")?,
            }
        }
    }
    list.commit()?;
    Ok(beside)
}

/// True if some of the code is at an address, or in the page after it: a function may have run from its middle on only.
fn is_in(code: &[CodeRange], address: u64) -> bool {
    const NEAR: u64 = 4096;
    let end = |(start, bytes): &CodeRange| start.saturating_add(bytes.len() as u64);
    let next = code.partition_point(|range| end(range) <= address);
    code.get(next).is_some_and(|(start, _)| *start < address.saturating_add(NEAR))
}

/// The code that is not in the file.
fn without(code: &[CodeRange], file: &Candidate) -> Vec<CodeRange> {
    let mut rest: Vec<CodeRange> = Vec::new();
    let outside = |(address, _): &(u64, u8)| file.byte(*address).is_none();
    for (address, byte) in code.iter().flat_map(bytes_of).filter(outside) {
        match rest.last_mut() {
            Some((start, bytes)) if start.wrapping_add(bytes.len() as u64) == address => {
                bytes.push(byte);
            }
            _ => rest.push((address, vec![byte])),
        }
    }
    rest
}
