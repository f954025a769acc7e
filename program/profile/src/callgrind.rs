//! Profiles in the format of valgrind's callgrind, for callgrind_annotate and KCachegrind.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use tracewright_image::Image;
use tracewright_view::Seen;
use tracewright_view::call_graph::{CallGraph, Edge};
use tracewright_view::calls::Way;
use tracewright_view::functions::Functions;
use tracewright_view::lines::Lines;
use tracewright_view::names::Names;
use tracewright_view::profile::Counts;

use crate::error::Error;

/// What stands for a file that is not known, as callgrind has it.
const UNKNOWN: &str = "???";

/// Instructions and calls of a function, by address.
#[derive(Debug, Default)]
struct OfFunction {
    instructions: Vec<(u64, u64)>,
    /// Calls by the address of the call: the first address of the function called, how often, and instructions.
    calls: BTreeMap<(u64, u64), (u64, u64)>,
}

/// Writes the instructions of every address of the code, and the calls. `command` is the program's name.
///
/// # Errors
/// When the file cannot be written.
pub fn write<L, T>(
    images: &[Arc<Image>],
    seen: &Seen<L, T>,
    command: &str,
    into: &mut impl Write,
) -> Result<(), Error> {
    let total = seen.counts.first().map_or(0, |counts| counts.total);
    writeln!(into, "# callgrind format\nversion: 1\ncreator: tracewright")?;
    writeln!(into, "cmd: {}\npart: 1\n", in_a_line(command))?;
    writeln!(into, "positions: instr line\nevents: Ir\nsummary: {total}")?;
    let (mut objects, mut files, mut functions) = <(Ids, Ids, Ids)>::default();
    for (program, image) in images.iter().enumerate() {
        let Some(counts) = seen.counts.get(program) else { continue };
        let mut writer = Writer {
            image,
            lines: Lines::of_image(image),
            functions: Functions::new(image, counts),
            ids: (&mut objects, &mut files, &mut functions),
            into: &mut *into,
        };
        let mut all = writer.by_function(counts);
        if let Some(graph) = &seen.graph {
            writer.add_calls(&mut all, graph, &seen.names, program);
        }
        for (start, of_function) in &all {
            writer.function(*start, of_function)?;
        }
    }
    writeln!(into, "\ntotals: {total}")?;
    Ok(())
}

/// Names, each of which is written once and then by its number.
#[derive(Debug, Default)]
struct Ids(FxHashMap<String, usize>);

impl Ids {
    fn of(&mut self, name: &str) -> String {
        let next = self.0.len() + 1;
        match self.0.get(name) {
            Some(number) => format!("({number})"),
            None => {
                self.0.insert(name.to_owned(), next);
                format!("({next}) {}", in_a_line(name))
            }
        }
    }
}

/// A name without what would end its line.
fn in_a_line(name: &str) -> String {
    name.chars().map(|one| if one.is_control() { '?' } else { one }).collect()
}

struct Writer<'a, W> {
    image: &'a Image,
    lines: Lines,
    functions: Functions<'a>,
    /// Object files, files of source, functions.
    ids: (&'a mut Ids, &'a mut Ids, &'a mut Ids),
    into: &'a mut W,
}

impl<W: Write> Writer<'_, W> {
    fn by_function(&self, counts: &Counts) -> BTreeMap<u64, OfFunction> {
        let mut all: BTreeMap<u64, OfFunction> = BTreeMap::new();
        for (address, count) in &counts.instructions {
            let start = self.functions.start(*address);
            let byte_address = self.image.instruction_set().byte_address(*address);
            all.entry(start).or_default().instructions.push((byte_address, *count));
        }
        all
    }

    fn add_calls(
        &self,
        all: &mut BTreeMap<u64, OfFunction>,
        graph: &CallGraph,
        names: &Names,
        program: usize,
    ) {
        for Edge { callee, way, count, instructions, .. } in graph.edges() {
            let callee = names.get(*callee);
            let (Way::Call(at) | Way::Jump(at) | Way::Exception(at)) = *way else { continue };
            let at = self.image.instruction_set().byte_address(at);
            // A call into the program of another context has no place in this one.
            let Some(caller) = all.get_mut(&self.functions.start(at)) else { continue };
            if callee.program != program {
                continue;
            }
            let target = self.functions.start(callee.address);
            let calls = caller.calls.entry((at, target)).or_default();
            *calls = (calls.0 + count, calls.1 + instructions);
        }
    }

    fn function(&mut self, start: u64, of: &OfFunction) -> Result<(), Error> {
        let (object, file) = (self.object(start), self.file(start));
        let name = self.functions.name(start);
        let (objects, files, functions) = &mut self.ids;
        let (object, function) = (objects.of(&object), functions.of(&name));
        let of_file = files.of(&file);
        writeln!(self.into, "\nob={object}\nfl={of_file}\nfn={function}")?;
        let mut current = file;
        let mut calls = of.calls.iter().peekable();
        for (address, count) in &of.instructions {
            let line = self.change_file(*address, &mut current)?;
            writeln!(self.into, "0x{:x} {line} {count}", self.in_file(*address))?;
            while let Some(((at, target), (count, instructions))) = calls.peek().copied() {
                if at > address {
                    break;
                }
                calls.next();
                self.call(*target, *count)?;
                writeln!(self.into, "0x{:x} {line} {instructions}", self.in_file(*at))?;
            }
        }
        Ok(())
    }

    /// Says which function is called, and how often.
    fn call(&mut self, target: u64, count: u64) -> Result<(), Error> {
        let (object, file) = (self.object(target), self.file(target));
        let name = self.functions.name(target);
        let line = self.line(target).map_or(0, |(_, line)| line);
        let (objects, files, functions) = &mut self.ids;
        let (object, file) = (objects.of(&object), files.of(&file));
        let function = functions.of(&name);
        writeln!(self.into, "cob={object}\ncfi={file}\ncfn={function}")?;
        writeln!(self.into, "calls={count} 0x{:x} {line}", self.in_file(target))?;
        Ok(())
    }

    /// Says in which file of source an address is if that is not the current one; gives the line, 0 if it has none.
    fn change_file(&mut self, address: u64, current: &mut String) -> Result<u32, Error> {
        let Some((file, line)) = self.line(address) else { return Ok(0) };
        if file != *current {
            let id = self.ids.1.of(&file);
            writeln!(self.into, "fi={id}")?;
            *current = file;
        }
        Ok(line)
    }

    fn line(&mut self, address: u64) -> Option<(String, u32)> {
        let line = self.lines.at(address)?;
        Some((line.file.to_string(), line.line))
    }

    fn file(&mut self, address: u64) -> String {
        self.line(address).map_or(UNKNOWN.into(), |(file, _)| file)
    }

    fn object(&self, address: u64) -> String {
        self.image.file_at(address).map_or(UNKNOWN.into(), |file| file.path.display().to_string())
    }

    /// The address in its file.
    fn in_file(&self, address: u64) -> u64 {
        let load = self.image.file_at(address).map_or(0, |file| file.load_address);
        address.wrapping_sub(load)
    }
}
