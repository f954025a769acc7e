//! Instructions as text: iced-x86 for x86, capstone for ARM and RISC-V.

use std::fmt::Write;

use capstone::arch::arm::ArchMode as ArmMode;
use capstone::arch::riscv::{ArchExtraMode as RiscVExtra, ArchMode as RiscVMode};
use capstone::prelude::*;
use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter};
use tracewright_image::{Image, InstructionSet};
use tracewright_sim::code::{Branch, Code, Instruction};
use tracewright_sim::event::Kind;

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
    Capstone(Capstone),
    Arm {
        a32: Capstone,
        t32: Capstone,
    },
    /// The disassembler did not start.
    None,
}

impl std::fmt::Debug for Disassembler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Disassembler").finish_non_exhaustive()
    }
}

impl Disassembler {
    /// The disassembler for an instruction set.
    pub fn new(instruction_set: InstructionSet) -> Self {
        let riscv = |mode: RiscVMode| {
            let compressed = std::iter::once(RiscVExtra::RiscVC);
            Capstone::new().riscv().mode(mode).extra_mode(compressed).build().map(Engine::Capstone)
        };
        let arm = |mode: ArmMode| Capstone::new().arm().mode(mode).build();
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
            InstructionSet::RiscV32 => riscv(RiscVMode::RiscV32),
            InstructionSet::RiscV64 => riscv(RiscVMode::RiscV64),
            InstructionSet::Arm => {
                arm(ArmMode::Arm).and_then(|a32| Ok(Engine::Arm { a32, t32: arm(ArmMode::Thumb)? }))
            }
            InstructionSet::X86 => x86(32),
            InstructionSet::X86_64 => x86(64),
        };
        Self { engine: engine.unwrap_or(Engine::None) }
    }

    /// The text of the instruction at `address`.
    pub fn text(&mut self, address: u64, bytes: &[u8]) -> String {
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
            Engine::Capstone(engine) => engine,
            Engine::None => return "?".into(),
        };
        let instructions = engine.disasm_count(bytes, address & !1, 1);
        let text = instructions.ok().and_then(|instructions| {
            let instruction = instructions.iter().next()?;
            let operands = instruction.op_str().unwrap_or("");
            Some(format!("{} {operands}", instruction.mnemonic()?).trim_end().to_owned())
        });
        // Instructions that the disassembler does not know are valid too.
        text.unwrap_or_else(|| "?".into())
    }
}

/// One instruction of an image for a listing: address, bytes, text, and the target of a direct branch.
#[derive(Clone, Debug)]
pub struct Line {
    /// The address without a Thumb bit, and the bytes.
    pub place: String,
    /// Mnemonic, operands, and the target of a direct branch in words.
    pub text: String,
}

/// The line for the instruction at `address` in the files of the program.
pub fn line(image: &Image, disassembler: &mut Disassembler, address: u64) -> Line {
    let instruction = image.instruction(address);
    let available = image.bytes_at(address).unwrap_or_default();
    let length = instruction.map_or(0, |instruction| usize::from(instruction.length));
    let bytes = &available[..length.min(available.len())];
    line_of(image, disassembler, address, bytes, instruction)
}

/// The line for an instruction that has these bytes.
pub fn line_of(
    image: &Image,
    disassembler: &mut Disassembler,
    address: u64,
    bytes: &[u8],
    instruction: Option<Instruction>,
) -> Line {
    let mut place = format!("{:8x}  ", image.instruction_set().byte_address(address));
    for byte in bytes {
        let _ = write!(place, "{byte:02x}");
    }
    let mut text = disassembler.text(address, bytes);
    if let Some(Branch { kind: Kind::DirectJump | Kind::DirectConditional, target, .. }) =
        instruction.and_then(|instruction| instruction.branch)
    {
        let _ = write!(text, " <{}>", names::spoken(image, target));
    }
    Line { place, text }
}
