//! A stack for a debugger, made of the open calls of a trace.
//!
//! A trace has no stack, but it has the calls that are open, each with its return address. A debugger unwinds frames by
//! the rules in the program's file: where the beginning of the frame is, from the stack pointer or another register, and
//! where in it the return address and the caller's registers are. Here the rules are used the other way round: a stack
//! is laid out of frames of the sizes that the rules say, and the words are given that make the rules find each return
//! address. Nothing else in it is known.

pub mod architecture;
pub mod exception_table;
pub mod frame_information;
mod prologue;
pub mod row;
pub mod trampoline;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use tracewright_image::{Image, InstructionSet};

use architecture::Architecture;
use exception_table::ExceptionTable;
use frame_information::FrameInformation;
use row::{Base, Row, Saved};
use trampoline::Trampoline;

/// Bytes between a function that an interrupt has interrupted and the handler's frame.
const HANDLER_GAP: u64 = 1 << 10;

/// Bytes of a frame below the register that its beginning is found by, where no more is known.
const BELOW_POINTER: u64 = 64;

/// A frame, as the trace has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The address at which it goes on.
    pub address: u64,
    /// How it is known that it goes on there.
    pub kind: Kind,
}

/// What is right before the address of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A call.
    Call,
    /// Nothing: it is the innermost frame, or an exception came.
    Exact,
    /// Nothing: it is where the handler of a signal returns to.
    Trampoline(Trampoline),
}

/// The registers and words that are known of a thread.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Registers by their numbers in DWARF.
    pub registers: FxHashMap<u16, u64>,
    /// Words of the stack by their addresses.
    pub words: FxHashMap<u64, u64>,
}

/// The rules of a program's files.
#[derive(Debug)]
pub struct Rules {
    architecture: Architecture,
    /// The information of each file, once it was asked for.
    files: Vec<Option<(FrameInformation, ExceptionTable)>>,
    known: FxHashMap<u64, Rc<Row>>,
}

impl Rules {
    /// Those of a program.
    pub fn new(architecture: Architecture) -> Rules {
        Rules { architecture, files: Vec::new(), known: FxHashMap::default() }
    }

    /// The processor.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The rules at an address, or those of the call before it.
    fn row(&mut self, image: &Image, frame: &Frame) -> Rc<Row> {
        let address = image.instruction_set().byte_address(frame.address);
        let address = match frame.kind {
            Kind::Call => address.wrapping_sub(1),
            Kind::Exact | Kind::Trampoline(_) => address,
        };
        if let Some(row) = self.known.get(&address) {
            return Rc::clone(row);
        }
        let is_thumb = self.architecture.set.byte_address(1) == 0 && frame.address & 1 == 1;
        let is_exact = !matches!(frame.kind, Kind::Call);
        let row = self
            .information(image, address, is_exact)
            .or_else(|| prologue::row(image, &self.architecture, address, is_thumb))
            .unwrap_or_else(|| {
                let Architecture { stack_pointer, link, word, .. } = self.architecture;
                Row::without_frame(stack_pointer, link, word)
            });
        let row = Rc::new(self.with_locals(row, image, address));
        self.known.insert(address, Rc::clone(&row));
        row
    }

    /// Makes room for locals that call frame information does not have: where a frame is found by another register than
    /// the stack pointer.
    fn with_locals(&self, mut row: Row, image: &Image, address: u64) -> Row {
        let is_x86 = self.architecture.set == InstructionSet::X86_64;
        if let Base::Register(register, _) = row.frame
            && is_x86
            && register != self.architecture.stack_pointer
        {
            let function = image.function_at(address).map(|function| function.address);
            let code = function.and_then(|function| image.bytes_at(function));
            row.depth = row.lowest().max(row.depth) + code.map_or(0, prologue::locals);
        }
        row
    }

    /// The rules that a file has for an address. Exception tables are right after calls, and after system calls.
    fn information(&mut self, image: &Image, address: u64, is_exact: bool) -> Option<Row> {
        let place = image.owner_at(address)? as usize;
        if place >= self.files.len() {
            self.files.resize_with(place + 1, || None);
        }
        let file = image.files().get(place)?;
        let (information, table) = self.files[place].get_or_insert_with(|| {
            let debug = file.debug_data.as_deref();
            let table = match self.architecture.set {
                InstructionSet::Arm => ExceptionTable::of(&file.data),
                _ => ExceptionTable::default(),
            };
            (FrameInformation::of(&file.data, debug, &self.architecture), table)
        });
        let in_file = |address: u64| address.wrapping_sub(file.load_address);
        let row = information.row(self.architecture.fit(in_file(address)), &self.architecture);
        if row.is_some() || is_exact && !is_after_system_call(image, address) {
            return row;
        }
        let start = image.function_at(address).map_or(0, |function| function.address);
        table.row(in_file(address), in_file(start))
    }
}

/// True if the instruction before an address is a system call of ARM.
fn is_after_system_call(image: &Image, address: u64) -> bool {
    let before = image.bytes_before(address);
    before.len() >= 2 && before[before.len() - 1] == 0xdf
        || before.len() >= 4 && before[before.len() - 1] & 15 == 15
}

/// Where the value of a register is in a frame.
#[derive(Clone, Copy, Debug)]
enum Location {
    Register(u16),
    Word(u64),
}

/// A stack that is being laid out, from the innermost frame outwards.
struct Layout<'a> {
    known: Known,
    /// Where the registers of the frame at hand are.
    moved: FxHashMap<u16, Location>,
    architecture: &'a Architecture,
}

/// Lays out the stack of a thread below `top`, its frames given from the innermost one.
pub fn lay_out(rules: &mut Rules, image: &Image, frames: &[Frame], top: u64) -> Known {
    let stack_pointer = rules.architecture.stack_pointer;
    let rows: Vec<Rc<Row>> = frames.iter().map(|frame| rules.row(image, frame)).collect();
    // Where each frame begins, and the register that this is found by.
    let mut places = Vec::with_capacity(rows.len());
    let mut beginning = top;
    for (place, (frame, row)) in frames.iter().zip(&rows).enumerate().rev() {
        if let Kind::Trampoline(_) = frame.kind {
            let pointer = (beginning - trampoline::BYTES) & !15;
            places.push((beginning, pointer));
            beginning = pointer;
            continue;
        }
        let (pointer, base) = pointers(row, beginning, stack_pointer);
        places.push((beginning, base));
        let inner = place.checked_sub(1).map(|inner| &frames[inner].kind);
        let is_interrupted =
            matches!(inner, Some(Kind::Call | Kind::Exact)) && frame.kind == Kind::Exact;
        beginning = if is_interrupted { pointer - HANDLER_GAP } else { pointer };
    }
    places.reverse();
    let architecture = &rules.architecture;
    let mut layout = Layout { known: Known::default(), moved: FxHashMap::default(), architecture };
    layout.known.registers.insert(stack_pointer, beginning);
    for (place, (frame, row)) in frames.iter().zip(&rows).enumerate() {
        let back = frames.get(place + 1).map(|frame| frame.address);
        match &frame.kind {
            Kind::Trampoline(trampoline) => {
                layout.trampoline(trampoline, places[place], back.unwrap_or(0))
            }
            Kind::Call | Kind::Exact => layout.frame(row, places[place], back),
        }
    }
    layout.known
}

impl Layout<'_> {
    fn location_of(&self, register: u16) -> Location {
        self.moved.get(&register).copied().unwrap_or(Location::Register(register))
    }

    /// The next frame, which begins at an address, which is found by a register with this value, and returns to `back` if
    /// that is known.
    fn frame(&mut self, row: &Row, (beginning, base): (u64, u64), back: Option<u64>) {
        if let Base::Register(register, _) | Base::Word(register, _) = row.frame
            && register != self.architecture.stack_pointer
        {
            self.known.set(self.location_of(register), base);
        }
        if let Base::Word(_, offset) = row.frame {
            self.known.set(Location::Word(base.wrapping_add_signed(offset)), beginning);
        }
        let location = match (row.return_address, self.architecture.link) {
            (Saved::At(offset), _) => Some(Location::Word(beginning.wrapping_add_signed(offset))),
            (Saved::Register(register), _) => Some(self.location_of(register)),
            (Saved::Same, Some(link)) => Some(self.location_of(link)),
            (Saved::Same | Saved::Lost, _) => None,
        };
        if let (Some(location), Some(back)) = (location, back) {
            self.known.set(location, back);
        }
        let link_rule = self.architecture.link.map(|link| (link, row.return_address));
        for (register, rule) in row.saved.iter().copied().chain(link_rule) {
            let location = match rule {
                Saved::At(offset) => Location::Word(beginning.wrapping_add_signed(offset)),
                Saved::Register(other) => self.location_of(other),
                Saved::Same | Saved::Lost => continue,
            };
            self.moved.insert(register, location);
        }
    }

    /// The code to which a handler returns: all registers of the function that was interrupted are above its stack
    /// pointer.
    fn trampoline(&mut self, trampoline: &Trampoline, (beginning, pointer): (u64, u64), back: u64) {
        let at = |offset: u64| Location::Word(pointer.wrapping_add(offset));
        self.known.set(at(trampoline.program_counter), back);
        if let Some((place, word)) = trampoline.layout {
            self.known.set(at(place), word);
        }
        if let Some(status) = trampoline.status {
            self.known.set(at(status), self.architecture.status(back));
        }
        for (register, offset) in &trampoline.registers {
            if *register == self.architecture.stack_pointer {
                self.known.set(at(*offset), beginning);
            }
            self.moved.insert(*register, at(*offset));
        }
    }
}

/// The stack pointer in a frame that begins at an address, and the register that the beginning is found by.
fn pointers(row: &Row, beginning: u64, stack_pointer: u16) -> (u64, u64) {
    match row.frame {
        Base::Register(register, offset) => {
            let base = beginning.wrapping_add_signed(-offset);
            if register == stack_pointer {
                return (base, base);
            }
            let depth = row.lowest().max(row.depth).max(16);
            (beginning.wrapping_sub(depth), base)
        }
        Base::Word(..) => {
            let base = beginning.wrapping_sub(row.depth.max(BELOW_POINTER));
            (base.wrapping_sub(BELOW_POINTER), base)
        }
    }
}

impl Known {
    /// Sets what is not known yet: an inner frame needs its value first.
    fn set(&mut self, location: Location, value: u64) {
        match location {
            Location::Register(register) => {
                self.registers.entry(register).or_insert(value);
            }
            Location::Word(address) => {
                self.words.entry(address).or_insert(value);
            }
        }
    }

    /// The byte of the stack at an address, whose words have so many bytes.
    pub fn byte(&self, address: u64, word: usize) -> Option<u8> {
        let begin = address & !(word as u64 - 1);
        let value = self.words.get(&begin)?;
        value.to_le_bytes().get((address - begin) as usize).copied()
    }
}
