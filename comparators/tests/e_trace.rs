//! E-Trace against the generator of the crate `riscv-etrace`, which makes the same bytes.

use std::num::NonZeroU8;

use riscv_etrace::config::{PARAMETERS, Parameters};
use riscv_etrace::generator::hart2enc::{CType, JumpType};
use riscv_etrace::generator::step::{Kind as StepKind, Step};
use riscv_etrace::generator::{self, Generator};
use riscv_etrace::instruction::Size;
use riscv_etrace::instruction::info::Info;
use riscv_etrace::packet;
use riscv_etrace::packet::encap::Normal;
use riscv_etrace::packet::payload::{InstructionTrace, Payload};
use riscv_etrace::types::Context;
use tracewright_sim::event::{Event, Kind};

use crate::common::{Execution, workload};
use crate::e_trace_scheme::encode;
use crate::small_programs;

/// An instruction that the generator sees retire.
#[derive(Clone, Copy, Debug)]
struct Retired {
    address: u64,
    kind: StepKind,
}

impl Step for Retired {
    fn address(&self) -> u64 {
        self.address
    }

    fn kind(&self) -> StepKind {
        self.kind
    }

    fn ctype(&self) -> CType {
        CType::Unreported
    }

    fn context(&self) -> Context {
        Context::default()
    }
}

pub fn parameters(execution: &Execution) -> Parameters {
    let width = NonZeroU8::new(execution.core.machine.address_bits).unwrap();
    Parameters { iaddress_width_p: width, ..PARAMETERS }
}

/// Where the trace starts, if it says so, and its other events.
fn started(events: &[Event]) -> (Option<u64>, &[Event]) {
    match events {
        [reset, rest @ ..] if reset.kind == Kind::Exception && reset.taken => {
            (Some(reset.target), rest)
        }
        all => (None, all),
    }
}

/// The retired instructions that matter to the generator: the first of a run and the last, which has an event.
fn steps(events: &[Event]) -> Vec<Retired> {
    let insn_size = Size::Normal;
    let plain = StepKind::Retirement { insn_size };
    let jump = |kind| StepKind::Jump { insn_size, kind, sequentially_inferable: false };
    let (mut start, events) = started(events);
    let mut steps = Vec::new();
    for event in events {
        if let Some(address) = start.filter(|_| event.instructions > 1) {
            steps.push(Retired { address, kind: plain });
        }
        let kind = match event.kind {
            Kind::DirectConditional => StepKind::Branch { insn_size, taken: event.taken },
            Kind::DirectJump => jump(JumpType::InferOther),
            Kind::IndirectJump | Kind::IndirectConditional => jump(JumpType::UnferOther),
            Kind::Exception => plain,
        };
        steps.push(Retired { address: event.program_counter, kind });
        start = event.taken.then_some(event.target);
    }
    // The target of a last jump is only reported with the instruction there.
    if let Some(last) = events.last().filter(|last| last.kind == Kind::IndirectJump) {
        steps.push(Retired { address: last.target, kind: plain });
    }
    steps
}

/// The packets that the crate makes.
fn by_crate(execution: &Execution) -> Vec<Vec<u8>> {
    let builder = packet::builder().with_params(&parameters(execution));
    let mut packets = Vec::new();
    let mut keep = |payload: InstructionTrace| {
        let mut buffer = [0; 64];
        let mut encoder = builder.encoder(&mut buffer);
        let packet = Normal::new(0, 0, Payload::InstructionTrace(payload));
        encoder.encode(&packet).unwrap();
        let length = 63 - encoder.uncommitted();
        packets.push(buffer[..=length].to_vec());
    };
    let mut generator: Generator<Retired> = generator::builder().build().unwrap();
    for step in steps(&execution.events) {
        generator.process_step(step, None).for_each(|payload| keep(payload.unwrap()));
    }
    generator.end_qualification(false).for_each(|payload| keep(payload.unwrap()));
    packets
}

/// An instruction of the program as far as the trace shows it.
#[derive(Clone, Copy, Debug)]
pub enum Known {
    Plain,
    Branch(i16),
    Jump(i32),
    Indirect,
    /// In place of the instructions up to the next event's: a jump there.
    Run(i32),
}

impl Info for Known {
    type Register = u8;

    fn branch_target(&self) -> Option<i16> {
        if let Known::Branch(target) = self { Some(*target) } else { None }
    }

    fn inferable_jump_target(&self) -> Option<i32> {
        if let Known::Jump(target) | Known::Run(target) = self { Some(*target) } else { None }
    }

    fn uninferable_jump_target(&self) -> Option<(u8, i16)> {
        matches!(self, Known::Indirect).then_some((1, 0))
    }

    fn upper_immediate(&self, _: u64) -> Option<(u8, u64)> {
        None
    }

    fn is_return_from_trap(&self) -> bool {
        false
    }

    fn is_ecall_or_ebreak(&self) -> bool {
        false
    }

    fn is_call(&self) -> bool {
        false
    }

    fn is_return(&self) -> bool {
        false
    }

    fn ignored() -> Self {
        Known::Plain
    }
}

pub fn distance<T: TryFrom<i64>>(from: u64, to: u64) -> T
where
    T::Error: std::fmt::Debug,
{
    T::try_from(to.wrapping_sub(from) as i64).unwrap()
}

/// A trace without idle bytes, which are no part of the standard's payloads. The crate also leaves out a last byte that
/// repeats a bit in front of the address; the scheme keeps a bit of the address.
fn payloads(bytes: &[u8]) -> Vec<u8> {
    let (mut payloads, mut rest) = (Vec::new(), bytes);
    while let Some((header, after)) = rest.split_first() {
        let (mut payload, others) = after.split_at(usize::from(header & 31));
        while let [front @ .., before, last] = payload
            && *last == if *before >> 7 == 1 { 0xff } else { 0 }
        {
            payload = &payload[..front.len() + 1];
        }
        if !payload.is_empty() {
            payloads.push(header & !31 | payload.len() as u8);
            payloads.extend(payload);
        }
        rest = others;
    }
    payloads
}

/// The bytes of the scheme, and those of the crate but for the last payload: the crate does not say whether the last
/// instruction is one that retired.
fn both(execution: &Execution) -> (Vec<u8>, Vec<u8>) {
    let ours = payloads(&encode("etrace-base", &[], execution).0);
    let packets = by_crate(execution);
    (ours, packets[..packets.len().saturating_sub(1)].concat())
}

fn common_beginning(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// All events before the first exception that is not the reset.
pub fn without_exceptions(mut execution: Execution) -> Execution {
    let exception = |event: &Event| event.kind == Kind::Exception && event.taken;
    let first = execution.events.iter().skip(1).position(exception);
    execution.events.truncate(first.map_or(usize::MAX, |first| first + 1));
    execution
}

/// Programs without direct jumps: at the fourth without a branch or an address between, the scheme has a payload more
/// (docs/e_trace.md).
#[test]
fn small_programs_have_the_bytes_of_the_crate() {
    let mut bytes = 0;
    for seed in 0..2_000 {
        let execution = without_exceptions(small_programs::run(seed));
        let (ours, theirs) = both(&execution);
        assert_eq!(common_beginning(&ours, &theirs), theirs.len(), "small program {seed}");
        bytes += theirs.len();
    }
    assert!(bytes > 30_000, "{bytes} bytes");
}

/// Where these differ from the crate's, the scheme reports a direct jump.
#[test]
fn workloads_have_as_many_bytes_as_the_crate_makes() {
    for name in ["rv32-synthetic-data", "rv32imac-traps", "rv64-djpeg", "rv64-stringsearch"] {
        let execution = without_exceptions(workload(name, usize::MAX));
        let (ours, theirs) = both(&execution);
        println!("{name}: {} and {} bytes", ours.len(), theirs.len());
        assert!(ours.len().abs_diff(theirs.len()) <= 32, "{name}");
        assert!(common_beginning(&ours, &theirs) >= theirs.len().min(1_000), "{name}");
    }
}
