//! Instructions as text: iced-x86 for x86, capstone for ARM and RISC-V.

mod risc_v;

use std::fmt::{self, Write};

use capstone::arch::arm::{ArchExtraMode as ArmExtra, ArchMode as ArmMode};
use capstone::arch::arm64::ArchMode as Arm64Mode;
use capstone::arch::riscv::{ArchExtraMode as RiscVExtra, ArchMode as RiscVMode};
use capstone::prelude::*;
use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter};
use tracewright_image::{Image, InstructionSet, kernel_helpers};
use tracewright_sim::code::{Branch, Code, Instruction};
use tracewright_sim::event::{Isa, Kind};
use tracewright_sim::rvfi::Extensions;

use crate::names;

/// A disassembler for one instruction set.
pub struct Disassembler {
    engine: Engine,
}

enum Engine {
    X86 {
        bits: u32,
        formatter: Box<IntelFormatter>,
    },
    RiscV {
        capstone: Capstone,
        extensions: Extensions,
        word_bytes: u32,
    },
    Arm {
        a32: Capstone,
        t32: Capstone,
    },
    AArch64(Capstone),
    /// The disassembler did not start.
    None,
}

impl fmt::Debug for Disassembler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Disassembler").finish_non_exhaustive()
    }
}

impl Disassembler {
    /// The disassembler for an instruction set.
    pub fn new(instruction_set: InstructionSet) -> Self {
        let riscv = |mode: RiscVMode| {
            let compressed = std::iter::once(RiscVExtra::RiscVC);
            let capstone = Capstone::new().riscv().mode(mode).extra_mode(compressed).build()?;
            let extensions = instruction_set.extensions();
            let word_bytes = u32::from(instruction_set.address_bits()) / 8;
            Ok(Engine::RiscV { capstone, extensions, word_bytes })
        };
        let arm = |mode: ArmMode| {
            let version = std::iter::once(ArmExtra::V8);
            Capstone::new().arm().mode(mode).extra_mode(version).build()
        };
        let x86 = |bits| {
            let mut formatter = Box::new(IntelFormatter::new());
            formatter.options_mut().set_hex_prefix("0x");
            formatter.options_mut().set_hex_suffix("");
            formatter.options_mut().set_uppercase_hex(false);
            formatter.options_mut().set_branch_leading_zeros(false);
            formatter.options_mut().set_rip_relative_addresses(true);
            Ok(Engine::X86 { bits, formatter })
        };
        let engine = match instruction_set {
            InstructionSet::RiscV32(_) => riscv(RiscVMode::RiscV32),
            InstructionSet::RiscV64(_) => riscv(RiscVMode::RiscV64),
            InstructionSet::Arm => {
                arm(ArmMode::Arm).and_then(|a32| Ok(Engine::Arm { a32, t32: arm(ArmMode::Thumb)? }))
            }
            InstructionSet::AArch64 => {
                Capstone::new().arm64().mode(Arm64Mode::Arm).build().map(Engine::AArch64)
            }
            InstructionSet::X86 => x86(32),
            InstructionSet::X86_64 => x86(64),
        };
        Self { engine: engine.unwrap_or(Engine::None) }
    }

    /// The text of the instruction at `address`, with the condition that the instructions `before` it give it.
    pub fn text(&mut self, address: u64, before: &[u8], bytes: &[u8]) -> String {
        let mut is_arm = true;
        let engine = match &mut self.engine {
            Engine::X86 { bits, formatter } => {
                let mut text = String::new();
                let instruction =
                    Decoder::with_ip(*bits, bytes, address, DecoderOptions::NONE).decode();
                formatter.format(&instruction, &mut text);
                return text;
            }
            Engine::Arm { t32, .. } if address & 1 == 1 => t32,
            Engine::Arm { a32, .. } => a32,
            Engine::RiscV { capstone, extensions, word_bytes } => {
                if let Some(text) = risc_v::text(*extensions, *word_bytes, bytes) {
                    return text;
                }
                is_arm = false;
                capstone
            }
            Engine::AArch64(capstone) => capstone,
            Engine::None => return raw(true, bytes),
        };
        let condition = InstructionSet::Arm.condition(address, before).filter(|_| is_arm);
        // An IT instruction of one condition alone.
        let it = condition.map(|condition| (0xbf08 | u16::from(condition) << 4).to_le_bytes());
        let it = it.as_ref().map_or(&[][..], |it| it);
        let count = if it.is_empty() { 1 } else { 2 };
        let start = (address & !1).wrapping_sub(it.len() as u64);
        let instructions = engine.disasm_count(&[it, bytes].concat(), start, count);
        let text = instructions.ok().and_then(|instructions| {
            let instruction = instructions.get(count - 1)?;
            let operands = instruction.op_str().unwrap_or("");
            Some(format!("{} {operands}", instruction.mnemonic()?).trim_end().to_owned())
        });
        text.unwrap_or_else(|| raw(is_arm, bytes))
    }
}

/// An instruction that the disassembler does not know, as assemblers take it. It is valid for all that.
fn raw(is_arm: bool, bytes: &[u8]) -> String {
    let number = bytes.iter().rev().fold(0u64, |number, byte| number << 8 | u64::from(*byte));
    match is_arm {
        true => format!(".inst {number:#x}"),
        false => format!(".insn {}, {number:#x}", bytes.len()),
    }
}

/// One instruction of an image for a listing: address, bytes, text, and the target of a direct branch.
#[derive(Clone, Debug)]
pub struct Line {
    /// The address without a Thumb bit, and the bytes.
    pub place: String,
    /// Mnemonic, operands, and the target of a direct branch in words.
    pub text: String,
    /// The columns of the place: the longest instruction fits.
    columns: usize,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<columns$}{}", self.place, self.text, columns = self.columns)
    }
}

/// The line for the instruction at `address` in the files of the program.
pub fn line(image: &Image, disassembler: &mut Disassembler, address: u64) -> Line {
    let instruction = image.instruction(address);
    let available = image.bytes_at(address).unwrap_or_default();
    let length = instruction.map_or(0, |instruction| usize::from(instruction.length));
    let bytes = &available[..length.min(available.len())];
    line_of(image, disassembler, address, (image.bytes_before(address), bytes), instruction)
}

/// The line for an instruction with the bytes before it and its own.
pub fn line_of(
    image: &Image,
    disassembler: &mut Disassembler,
    address: u64,
    (before, bytes): (&[u8], &[u8]),
    instruction: Option<Instruction>,
) -> Line {
    let set = image.instruction_set();
    let place = format!("{:8x}  {}", set.byte_address(address), encoding(set, address, bytes));
    let helper = kernel_helpers::name(set, address).filter(|_| bytes.is_empty());
    let mut text = match helper {
        Some(helper) => format!("({helper}, done by the kernel)"),
        None => disassembler.text(address, before, bytes),
    };
    if let Some(Branch { kind: Kind::DirectJump | Kind::DirectConditional, target, .. }) =
        instruction.and_then(|instruction| instruction.branch)
    {
        if set.isa() == Isa::RiscV {
            name_target(&mut text, target);
        }
        let _ = write!(text, " <{}>", names::spoken(image, target));
    }
    // Up to 12 digits of an address, and 15 bytes on x86, 4 elsewhere.
    let columns = match set {
        InstructionSet::X86 | InstructionSet::X86_64 => 46,
        _ => 28,
    };
    Line { place, text, columns }
}

/// The bytes of an instruction as objdump prints them: on x86 in memory order, on ARM and RISC-V as the number that the
/// manuals show, and a Thumb instruction of four bytes as two numbers.
fn encoding(set: InstructionSet, address: u64, bytes: &[u8]) -> String {
    let hex = |bytes: &mut dyn Iterator<Item = &u8>| -> String {
        bytes.map(|byte| format!("{byte:02x}")).collect()
    };
    match set {
        InstructionSet::X86 | InstructionSet::X86_64 => hex(&mut bytes.iter()),
        InstructionSet::Arm if address & 1 == 1 => {
            let halves: Vec<String> =
                bytes.chunks(2).map(|half| hex(&mut half.iter().rev())).collect();
            halves.join(" ")
        }
        _ => hex(&mut bytes.iter().rev()),
    }
}

/// Replaces the offset at the end of a RISC-V branch by the address to which it leads.
fn name_target(text: &mut String, target: u64) {
    if let Some(at) = text.rfind(' ') {
        text.truncate(at + 1);
        let _ = write!(text, "{target:#x}");
    }
}
