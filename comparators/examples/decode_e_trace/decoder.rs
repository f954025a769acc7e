//! A decoder of E-Trace with the crate `riscv-etrace`, for the presets `etrace-base` and `etrace-returns`.

use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, elf};
use riscv_etrace::binary::{self, Adaptable, Binary};
use riscv_etrace::config::{PARAMETERS, Parameters};
use riscv_etrace::instruction::base::Set;
use riscv_etrace::instruction::info::Info;
use riscv_etrace::instruction::{Instruction, Kind};
use riscv_etrace::packet::encap::Packet;
use riscv_etrace::packet::{self, Error as PacketError};
use riscv_etrace::tracer::{self, Tracer};

use crate::stack::{Forgetful, follow, reach_branch};

type Failed = Box<dyn std::error::Error>;

/// The addresses of the instructions that retired, from the bytes of a trace of a 32-bit program with one executable
/// segment. `return_stack_size_p` is the binary logarithm of the design's `return_stack_entries`: 0 for none, 3 for
/// `etrace-returns`.
pub fn addresses(file: &[u8], trace: &[u8], return_stack_size_p: u8) -> Result<Vec<u64>, Failed> {
    let header = elf::FileHeader32::<Endianness>::parse(file)?;
    let endian = header.endian()?;
    let mut segments = header.program_headers(endian, file)?.iter();
    let is_code = |one: &&elf::ProgramHeader32<Endianness>| one.p_flags(endian).contains(elf::PF_X);
    let code = segments.find(is_code).ok_or("no code")?;
    let bytes = code.data(endian, file).map_err(|()| "the code is not in the file")?;
    let code = binary::from_segment(bytes, Set::Rv32I).with_offset(code.p_vaddr(endian).into());
    let find = move |address| {
        let mut code = code;
        code.get_insn(address)
    };

    // The others are those that docs/e_trace.md names.
    let parameters =
        Parameters { iaddress_width_p: 32.try_into()?, return_stack_size_p, ..PARAMETERS };
    let is_branch = |found: &Instruction<Option<Kind>>| found.info.branch_target().is_some();
    let binary = binary::from_fn(move |address| {
        let found = find(address);
        if found.as_ref().is_ok_and(is_branch) {
            reach_branch();
        }
        found
    });
    let builder = tracer::builder().with_params(&parameters).with_binary(binary);
    let mut tracer: Tracer<_, Forgetful> =
        builder.with_implicit_return(return_stack_size_p > 0).build().map_err(text)?;
    let mut decoder = packet::builder().with_params(&parameters).decoder(trace);
    let mut retired = Vec::new();
    loop {
        let packet = match decoder.decode_encap_packet() {
            Ok(Packet::Normal(packet)) => packet,
            Ok(_) => continue,
            Err(PacketError::InsufficientData(_)) => return Ok(retired),
            Err(error) => return Err(text(error)),
        };
        let payload = packet.decode_payload().map_err(text)?;
        tracer.process_payload(&payload).map_err(text)?;
        follow(&payload, |address| find(address).is_ok_and(|found| is_branch(&found)));
        for item in tracer.by_ref() {
            let item = item.map_err(text)?;
            retired.extend(item.instruction().map(|_| item.pc()));
        }
    }
}

fn text(error: impl std::fmt::Debug) -> Failed {
    format!("{error:?}").into()
}
