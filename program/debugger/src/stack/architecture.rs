//! The registers of a processor as GDB knows them.

use std::fmt::Write;

use tracewright_image::InstructionSet;

/// What is in a register of the packet that has all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The register with this number in DWARF.
    Register(u16),
    /// The program counter.
    ProgramCounter,
    /// The status of an ARM processor, of which nothing but the mode and the instruction set is known.
    Status,
    /// What no trace has.
    Unknown,
}

/// A register of the packet that has all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number in the description.
    pub number: usize,
    /// Its bytes.
    pub bytes: usize,
    /// What is in it.
    pub content: Content,
}

/// A processor.
#[derive(Clone, Debug)]
pub struct Architecture {
    /// The instruction set.
    pub set: InstructionSet,
    /// Bytes of an address.
    pub word: usize,
    /// The number of the stack pointer in DWARF.
    pub stack_pointer: u16,
    /// The number of the register that a call leaves the return address in, if it leaves it in one.
    pub link: Option<u16>,
    /// The description of the target that GDB reads.
    pub description: String,
    /// The registers in the order of the packet.
    pub slots: Vec<Slot>,
}

const RISC_V: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1", "a0", "a1", "a2", "a3", "a4",
    "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
    "t5", "t6",
];

/// The registers of 64-bit x86 in GDB's order, with their numbers in DWARF.
const X86_64: [(&str, u16); 16] = [
    ("rax", 0),
    ("rbx", 3),
    ("rcx", 2),
    ("rdx", 1),
    ("rsi", 4),
    ("rdi", 5),
    ("rbp", 6),
    ("rsp", 7),
    ("r8", 8),
    ("r9", 9),
    ("r10", 10),
    ("r11", 11),
    ("r12", 12),
    ("r13", 13),
    ("r14", 14),
    ("r15", 15),
];

const X86: [&str; 8] = ["eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"];

/// A description of a target that is being written.
struct Writer {
    text: String,
    slots: Vec<Slot>,
}

impl Writer {
    fn new(architecture: &str) -> Writer {
        let mut text =
            String::from("<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">");
        let _ = write!(text, "<target version=\"1.0\"><architecture>{architecture}</architecture>");
        Writer { text, slots: Vec::new() }
    }

    fn feature(&mut self, name: &str) {
        self.end_feature();
        let _ = write!(self.text, "<feature name=\"{name}\">");
    }

    fn end_feature(&mut self) {
        if !self.slots.is_empty() {
            self.text.push_str("</feature>");
        }
    }

    fn register(&mut self, name: &str, bits: usize, more: &str, content: Content) {
        let _ = write!(self.text, "<reg name=\"{name}\" bitsize=\"{bits}\"{more}/>");
        let next = self.slots.last().map_or(0, |slot| slot.number + 1);
        let number = if more == NUMBER { CPSR } else { next };
        self.slots.push(Slot { number, bytes: bits / 8, content });
    }

    fn unknown(&mut self, names: impl IntoIterator<Item = String>, bits: usize, more: &str) {
        names.into_iter().for_each(|name| self.register(&name, bits, more, Content::Unknown));
    }

    fn finish(mut self) -> (String, Vec<Slot>) {
        self.end_feature();
        self.text.push_str("</target>");
        (self.text, self.slots)
    }
}

fn numbered(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{prefix}{number}")).collect()
}

/// GDB's number of the status of an ARM processor.
const CPSR: usize = 25;
const NUMBER: &str = " regnum=\"25\"";
const POINTER: &str = " type=\"data_ptr\"";
const CODE: &str = " type=\"code_ptr\"";

impl Architecture {
    /// The processor of an instruction set; `float_bits` are those of the registers for floating point that a RISC-V
    /// program's calls use, 0 for none.
    pub fn new(set: InstructionSet, float_bits: usize) -> Architecture {
        let word = usize::from(set.address_bits()) / 8;
        let (writer, stack_pointer, link) = match set {
            InstructionSet::RiscV32(_) | InstructionSet::RiscV64(_) => {
                (risc_v(word, float_bits), 2, Some(1))
            }
            InstructionSet::Arm => (arm(), 13, Some(14)),
            InstructionSet::AArch64 => (aarch64(), 31, Some(30)),
            InstructionSet::X86 => (x86(), 4, None),
            InstructionSet::X86_64 => (x86_64(), 7, None),
        };
        let (description, slots) = writer.finish();
        Architecture { set, word, stack_pointer, link, description, slots }
    }

    /// Whose call frame instructions there are besides those of all: those of AArch64 say which return addresses are
    /// signed.
    pub fn vendor(&self) -> gimli::Vendor {
        match self.set {
            InstructionSet::AArch64 => gimli::Vendor::AArch64,
            _ => gimli::Vendor::Default,
        }
    }

    /// The status of an ARM processor in user mode at an address.
    pub fn status(&self, address: u64) -> u64 {
        match self.set {
            InstructionSet::AArch64 => 0,
            _ => 0x10 | (address & 1) << 5,
        }
    }

    /// An address cut to the width of the processor's.
    pub fn fit(&self, address: u64) -> u64 {
        if self.word == 4 { address & 0xffff_ffff } else { address }
    }
}

fn risc_v(word: usize, float_bits: usize) -> Writer {
    let bits = 8 * word;
    let mut writer = Writer::new(if bits == 32 { "riscv:rv32" } else { "riscv:rv64" });
    writer.feature("org.gnu.gdb.riscv.cpu");
    for (number, name) in RISC_V.iter().enumerate() {
        let is_pointer = matches!(number, 2..=4 | 8);
        let more = if number == 1 {
            CODE
        } else if is_pointer {
            POINTER
        } else {
            ""
        };
        writer.register(name, bits, more, Content::Register(number as u16));
    }
    writer.register("pc", bits, CODE, Content::ProgramCounter);
    if float_bits > 0 {
        writer.feature("org.gnu.gdb.riscv.fpu");
        let kind = if float_bits == 32 { "ieee_single" } else { "ieee_double" };
        writer.unknown(numbered("f", 32), float_bits, &format!(" type=\"{kind}\""));
        writer.unknown(["fflags", "frm", "fcsr"].map(String::from), 32, "");
    }
    writer
}

fn arm() -> Writer {
    let mut writer = Writer::new("arm");
    writer.feature("org.gnu.gdb.arm.core");
    for (number, name) in (0..).zip(numbered("r", 13)) {
        writer.register(&name, 32, "", Content::Register(number));
    }
    writer.register("sp", 32, POINTER, Content::Register(13));
    writer.register("lr", 32, "", Content::Register(14));
    writer.register("pc", 32, CODE, Content::ProgramCounter);
    writer.register("cpsr", 32, NUMBER, Content::Status);
    writer.feature("org.gnu.gdb.arm.vfp");
    writer.unknown(numbered("d", 16), 64, " type=\"ieee_double\"");
    writer.unknown(["fpscr".into()], 32, "");
    writer
}

fn aarch64() -> Writer {
    let mut writer = Writer::new("aarch64");
    writer.feature("org.gnu.gdb.aarch64.core");
    for (number, name) in (0..).zip(numbered("x", 31)) {
        writer.register(&name, 64, "", Content::Register(number));
    }
    writer.register("sp", 64, POINTER, Content::Register(31));
    writer.register("pc", 64, CODE, Content::ProgramCounter);
    writer.register("cpsr", 32, "", Content::Status);
    writer.feature("org.gnu.gdb.aarch64.fpu");
    writer.unknown(numbered("v", 32), 128, " type=\"uint128\"");
    writer.unknown(["fpsr", "fpcr"].map(String::from), 32, "");
    writer
}

fn x86() -> Writer {
    let mut writer = Writer::new("i386");
    writer.feature("org.gnu.gdb.i386.core");
    for (number, name) in (0..).zip(X86) {
        let more = if matches!(number, 4 | 5) { POINTER } else { "" };
        writer.register(name, 32, more, Content::Register(number));
    }
    writer.register("eip", 32, CODE, Content::ProgramCounter);
    x87(&mut writer);
    writer.feature("org.gnu.gdb.i386.sse");
    sse(&mut writer, 8);
    writer.feature("org.gnu.gdb.i386.linux");
    writer.unknown(["orig_eax".into()], 32, "");
    writer
}

fn x86_64() -> Writer {
    let mut writer = Writer::new("i386:x86-64");
    writer.feature("org.gnu.gdb.i386.core");
    for (name, number) in X86_64 {
        let more = if matches!(number, 6 | 7) { POINTER } else { "" };
        writer.register(name, 64, more, Content::Register(number));
    }
    writer.register("rip", 64, CODE, Content::ProgramCounter);
    x87(&mut writer);
    writer.feature("org.gnu.gdb.i386.sse");
    sse(&mut writer, 16);
    // Without it GDB does not take a program for one of Linux.
    writer.feature("org.gnu.gdb.i386.linux");
    writer.unknown(["orig_rax".into()], 64, "");
    writer
}

fn x87(writer: &mut Writer) {
    writer.unknown(["eflags", "cs", "ss", "ds", "es", "fs", "gs"].map(String::from), 32, "");
    writer.unknown(numbered("st", 8), 80, " type=\"i387_ext\"");
    let control = ["fctrl", "fstat", "ftag", "fiseg", "fioff", "foseg", "fooff", "fop"];
    writer.unknown(control.map(String::from), 32, "");
}

fn sse(writer: &mut Writer, registers: usize) {
    writer.text.push_str(
        "<vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/>\
         <vector id=\"v2d\" type=\"ieee_double\" count=\"2\"/>\
         <vector id=\"v16i8\" type=\"int8\" count=\"16\"/>\
         <vector id=\"v8i16\" type=\"int16\" count=\"8\"/>\
         <vector id=\"v4i32\" type=\"int32\" count=\"4\"/>\
         <vector id=\"v2i64\" type=\"int64\" count=\"2\"/>\
         <union id=\"vec128\"><field name=\"v4_float\" type=\"v4f\"/>\
         <field name=\"v2_double\" type=\"v2d\"/><field name=\"v16_int8\" type=\"v16i8\"/>\
         <field name=\"v8_int16\" type=\"v8i16\"/><field name=\"v4_int32\" type=\"v4i32\"/>\
         <field name=\"v2_int64\" type=\"v2i64\"/><field name=\"uint128\" type=\"uint128\"/></union>",
    );
    writer.unknown(numbered("xmm", registers), 128, " type=\"vec128\"");
    writer.unknown(["mxcsr".into()], 32, "");
}
