//! Tables of the RISC-V formal interface, against the model of its adapter.

use std::fmt::Write;

use tracewright_image::InstructionSet;
use tracewright_import::Options;
use tracewright_sim::config::Processor;
use tracewright_sim::event::Event;
use tracewright_sim::rvfi::{Compressed, Config, Retirement, Rvfi, Trapped, Xlen};
use tracewright_sim::trace_io::Reader;

use crate::common::{import_with, of_set, whole};

/// Jumps, branches, returns from traps, compressed ones, and others.
const WORDS: [u32; 10] = [
    0x0000_0013,
    0x0080_00ef,
    0x0000_8067,
    0xfe05_1ee3,
    0x3020_0073,
    0x0000_a001,
    0x0000_8082,
    0x0000_0001,
    0x0000_b7fd,
    0x0005_2503,
];

/// Random numbers of 32 bits.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % limit
    }
}

/// What a core could say, with diversions of all kinds.
fn execution(random: &mut Random) -> Vec<Retirement> {
    let mut at = 0x1000;
    let address = |random: &mut Random| 0x1000 + 2 * u64::from(random.below(64));
    (0..200)
        .map(|_| {
            let instruction = WORDS[random.below(WORDS.len() as u32) as usize];
            let length = if instruction & 3 == 3 { 4 } else { 2 };
            let next = if random.below(3) == 0 { address(random) } else { at + length };
            let retired = Retirement {
                instruction,
                program_counter: at,
                next_program_counter: next,
                trap: random.below(8) == 0,
                interrupt: random.below(10) == 0,
                compressed: false,
            };
            at = if random.below(6) == 0 { address(random) } else { next };
            retired
        })
        .collect()
}

fn table(execution: &[Retirement]) -> String {
    let mut text = String::from(
        "rvfi_order,rvfi_valid,rvfi_insn,rvfi_trap,rvfi_intr,rvfi_pc_rdata,rvfi_pc_wdata\n",
    );
    for (order, one) in execution.iter().enumerate() {
        let Retirement {
            instruction, program_counter, next_program_counter, trap, interrupt, ..
        } = one;
        let (trap, interrupt) = (u8::from(*trap), u8::from(*interrupt));
        let _ = writeln!(
            text,
            "{order},1,{instruction:08x},{trap},{interrupt},{program_counter:08x},{next_program_counter:08x}"
        );
        text += "x,0,xxxxxxxx,x,x,xxxxxxxx,xxxxxxxx\n";
    }
    text
}

/// The events are those of the model of the adapter.
#[test]
fn the_events_are_those_of_the_adapter() {
    let mut random = Random(1);
    for _ in 0..200 {
        let execution = execution(&mut random);
        let processor = Processor { address_width: 32, alignment: 1, ..Processor::default() };
        let mut model = Rvfi::new(Config::new(Xlen::Rv32, 1), &processor, 0);
        let mut expected = Vec::new();
        let mut emit = |event: Event| {
            // A trace has the lengths of calls.
            let length = if event.call { event.length } else { 0 };
            expected.push(Event { length, ..event });
            Ok::<(), ()>(())
        };
        for retired in &execution {
            model.retire(retired, &mut emit).expect("no error");
        }
        model.flush(&mut emit).expect("no error");
        // Nothing is found in what anything may be.
        let options = Options {
            compressed: Some(Compressed::Raw),
            trap: Some(Trapped::NotRetired),
            ..of_set(InstructionSet::RV32)
        };
        let (trace, summary) = whole(table(&execution).as_bytes(), options).expect("a table");
        let found: Vec<Event> = Reader::new(std::io::Cursor::new(trace.into_bytes()))
            .expect("a trace")
            .map(|event| event.expect("an event"))
            .collect();
        assert_eq!(found, expected);
        assert_eq!(summary.left_out, model.trailing_instructions());
    }
}

/// Accesses, and values with `0x`.
#[test]
fn accesses() {
    let log = "\
rvfi_insn,rvfi_pc_rdata,rvfi_pc_wdata,rvfi_mem_addr,rvfi_mem_rmask,rvfi_mem_wmask,rvfi_rd_addr
0x00052503,0x1000,0x1004,0x20000,0xf,0x0,10
0x00a52023,0x1004,0x1008,0x20004,0x0,0xf,0
0x0000006f,0x1008,0x1008,0x0,0x0,0x0,0
";
    let expected = "\
0 exception 0x0 taken 0x1000
1 load 0x1000 0x20000
2 store 0x1004 0x20004
3 direct-jump 0x1008 taken 0x1008
";
    let (trace, summary) = import_with(log, Options::default()).expect("a table");
    assert_eq!((trace.as_str(), summary.other_next), (expected, 0));
    // A core that always says the next address: the jump is followed by something else.
    let sequential =
        log.replace("0x1008,0x1008", "0x1008,0x100c") + "0x0000006f,0x1008,0x1008,0,0,0,0\n";
    let (_, summary) = import_with(&sequential, Options::default()).expect("a table");
    assert_eq!(summary.other_next, 1);
}
