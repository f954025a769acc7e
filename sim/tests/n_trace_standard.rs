//! A decoder of the standard, which knows nothing of ours, follows N-Trace instruction by instruction.
//!
//! It reads bytes by their control bits, and steps over as many instructions as the counts and the outcomes say. So the
//! counts have to be exact, which they are where all instructions have four bytes, and with `exact_lengths`.

mod compressed;

use std::collections::{HashMap, VecDeque};

use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};

use crate::common::encode;

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 2, address_bits: 32 };

/// What the decoder knows of the program.
#[derive(Default)]
struct Code {
    /// The instructions that may change the flow.
    branches: HashMap<u64, Event>,
    /// The lengths of instructions in bytes; all others have four.
    lengths: HashMap<u64, u64>,
}

impl Code {
    fn length(&self, address: u64) -> u64 {
        self.lengths.get(&address).copied().unwrap_or(4)
    }

    /// Learns the instructions that may change the flow.
    fn learn(&mut self, events: &[Event]) {
        for event in events.iter().filter(|event| event.kind != Kind::Exception) {
            let known = self.branches.entry(event.program_counter).or_insert(*event);
            known.target = known.target.max(event.target);
        }
    }
}

/// The fields of variable length of a message, each with the fixed ones before it.
fn messages(bytes: &[u8]) -> Vec<Vec<u128>> {
    let mut messages = Vec::new();
    let mut fields: Vec<u128> = Vec::new();
    let (mut field, mut bits) = (0, 0);
    for byte in bytes {
        let is_idle = fields.is_empty() && bits == 0 && *byte == 0xff;
        if is_idle {
            continue;
        }
        field |= u128::from(byte >> 2) << bits;
        bits += 6;
        match byte & 3 {
            0 => {}
            1 => {
                fields.push(field);
                (field, bits) = (0, 0);
            }
            3 => {
                fields.push(field);
                messages.push(std::mem::take(&mut fields));
                (field, bits) = (0, 0);
            }
            control => panic!("control bits {control}"),
        }
    }
    assert!(fields.is_empty() && bits == 0, "a message has no end");
    messages
}

struct Decoder<'a> {
    code: &'a Code,
    pc: u64,
    address: u64,
    /// Units that were counted before, less those that were followed before.
    ahead: i64,
    stack: Vec<u64>,
    outcomes: VecDeque<bool>,
    has_history: bool,
    /// The last message of a branch, with no difference of addresses.
    last: Vec<u128>,
    retired: Vec<u64>,
    /// The trace says the time.
    is_timed: bool,
    /// The last one.
    time: Option<u64>,
    /// Times, each with the number of instructions that had retired.
    times: Vec<(u64, usize)>,
}

impl Decoder<'_> {
    fn add(&mut self, history: u128) {
        let branches = history.ilog2();
        self.outcomes.extend((0..branches).rev().map(|place| history >> place & 1 == 1));
    }

    /// Retires the instruction at hand; `is_last` of those that a message counts.
    fn retire(&mut self, is_last: bool, takes_last: bool) {
        self.retired.push(self.pc);
        let length = self.code.length(self.pc);
        self.ahead -= length as i64 / 2;
        let next = self.pc + length;
        let Some(instruction) = self.code.branches.get(&self.pc) else {
            self.pc = next;
            return;
        };
        let taken = match instruction.kind {
            Kind::DirectConditional if self.has_history => self.outcomes.pop_front().unwrap(),
            Kind::DirectConditional => is_last && takes_last,
            _ => true,
        };
        let returns = if instruction.is_return { self.stack.pop() } else { None };
        if instruction.call {
            self.stack.push(next);
        }
        self.pc = match (instruction.kind, taken) {
            (_, false) => next,
            (Kind::IndirectJump, _) if is_last => returns.unwrap_or(0),
            (Kind::IndirectJump, _) => returns.expect("a return without an address"),
            _ => instruction.target,
        };
    }

    fn follow(&mut self, count: u128, history: u128, takes_last: bool) {
        self.ahead += count as i64;
        self.add(history);
        while self.ahead > 0 {
            let is_last = self.ahead == self.code.length(self.pc) as i64 / 2;
            self.retire(is_last, takes_last);
        }
        assert_eq!((self.ahead, self.outcomes.len()), (0, 0), "at {:#x}", self.pc);
    }

    /// A message whose last field may be the time.
    fn timed_message(&mut self, fields: &[u128]) {
        let code = fields[0] & 0x3f;
        let fixed = match code {
            2 | 3 | 8 | 30 => 1,
            9 | 4 => 2,
            28 => 3,
            27 => 1 + usize::from(fields[0] >> 6 & 15 == 2),
            33 => 1 + usize::from(self.has_history),
            code => panic!("a message of kind {code}"),
        };
        self.message(&fields[..fixed]);
        if let Some([stamp]) = fields.get(fixed..).filter(|rest| !rest.is_empty()) {
            let before = if code == 9 { 0 } else { self.time.expect("a time before") };
            let time = before.wrapping_add(*stamp as u64);
            self.time = Some(time);
            self.times.push((time, self.retired.len()));
        } else if self.is_timed && !matches!(code, 27 | 30) {
            panic!("a message of kind {code} without a time");
        }
    }

    fn message(&mut self, fields: &[u128]) {
        let (code, first) = (fields[0] & 0x3f, fields[0] >> 6);
        let history = if self.has_history { fields.last().copied().unwrap_or(1) } else { 1 };
        match code {
            // Synchronisation, a reason of four bits, and no code before it.
            9 => {
                assert!(first == 1 || first == 5, "reason {first}");
                self.pc = (fields[1] << 1) as u64;
                self.address = self.pc;
                self.stack.clear();
            }
            3 => {
                self.follow(first, 1, true);
                self.last = fields.to_vec();
            }
            4 | 28 => {
                self.follow(first >> 2, history, false);
                self.address ^= (fields[1] << 1) as u64;
                self.pc = self.address;
                self.last = fields.to_vec();
                self.last[1] = 0;
            }
            30 => {
                let last = self.last.clone();
                (0..first).for_each(|_| self.message(&last));
            }
            27 if first & 15 == 0 => self.ahead += (first >> 4) as i64,
            27 => {
                assert_eq!(first & 15, fields.len() as u128);
                for _ in 0..fields.get(1).copied().unwrap_or(1) {
                    self.add(first >> 4);
                    while !self.outcomes.is_empty() {
                        self.retire(false, false);
                    }
                }
            }
            33 => {
                assert_eq!(first & 63, 4 | u128::from(self.has_history) << 4);
                self.follow(first >> 6, history, false);
            }
            code => panic!("a message of kind {code}"),
        }
    }
}

/// The addresses of all instructions that a decoder is told of: those before the first one that may change the flow are not.
/// `runs` has those of each event.
fn addresses(events: &[Event], runs: &[Vec<u64>], interval: usize) -> Vec<u64> {
    let mut all = Vec::new();
    for (part, runs) in events.chunks(interval).zip(runs.chunks(interval)) {
        let mut is_known = false;
        for (event, run) in part.iter().zip(runs) {
            let changes = event.kind != Kind::Exception || event.taken;
            if !is_known && !changes {
                continue;
            }
            let known = if is_known { run.len() } else { run.len().min(1) };
            all.extend(&run[run.len() - known..]);
            is_known = true;
        }
    }
    all
}

/// The addresses of an event's instructions, each of four bytes.
fn run(event: &Event) -> Vec<u64> {
    (0..event.instructions).rev().map(|back| event.program_counter - 4 * back).collect()
}

/// Fails unless a decoder retires the instructions of these events, for several designs.
#[track_caller]
fn retires(machine: Machine, code: &Code, events: &[Event], runs: &[Vec<u64>], seed: u64) {
    for preset in ["ntrace-htm", "ntrace-btm"] {
        let parameters = [
            ("20", "0", "0", "0"),
            ("8", "4", "2", "40"),
            ("14", "32", "0", "64"),
            ("20", "2", "16", "0"),
        ];
        for (count_bits, entries, repeat_bits, time_bits) in parameters {
            let mut design = Design::preset(preset).unwrap().for_machine(machine).unwrap();
            design.set("count_bits", count_bits).unwrap();
            design.set("return_stack_entries", entries).unwrap();
            design.set("repeat_bits", repeat_bits).unwrap();
            design.set("trace_port_width", "8").unwrap();
            design.set("enable_pin", if time_bits == "0" { "false" } else { "true" }).unwrap();
            design.set("time_bits", time_bits).unwrap();
            design
                .set("exact_lengths", if machine.alignment == 1 { "true" } else { "false" })
                .unwrap();
            let interval = if seed.is_multiple_of(2) { events.len() } else { 991 };
            let mut decoder = Decoder {
                code,
                pc: 0,
                address: 0,
                ahead: 0,
                stack: Vec::new(),
                outcomes: VecDeque::new(),
                has_history: preset == "ntrace-htm",
                last: Vec::new(),
                retired: Vec::new(),
                is_timed: time_bits != "0",
                time: None,
                times: Vec::new(),
            };
            let (bytes, _) = encode(&design, events, interval);
            for message in messages(&bytes) {
                decoder.timed_message(&message);
            }
            let expected = addresses(events, runs, interval);
            assert!(decoder.retired == expected, "{preset}, seed {seed}, {count_bits} bits");
            assert_eq!(decoder.times.is_empty(), !decoder.is_timed);
            // An encoder that is given no times takes one instruction for a cycle. The trace begins before its first one.
            if interval == events.len() {
                for times in decoder.times.get(1..).unwrap_or_default().windows(2) {
                    let [(time, retired), (next, next_retired)] = times else { unreachable!() };
                    assert_eq!(next - time, (next_retired - retired) as u64, "{preset}");
                }
            }
        }
    }
}

#[test]
fn a_decoder_of_the_standard_retires_the_same_instructions() {
    for seed in 0..9 {
        let options = Options {
            machine: MACHINE,
            events: 8_000,
            predicated: false,
            exceptions: seed % 3 > 0,
            code_base: 0x8000_0000,
            code_span: 1 << 21,
            threads: 1,
            ..Options::from_seed(seed)
        };
        let events: Vec<Event> = Synthetic::new(options).unwrap().collect();
        let mut code = Code::default();
        code.learn(&events);
        let runs: Vec<_> = events.iter().map(run).collect();
        retires(MACHINE, &code, &events, &runs, seed);
    }
}

#[test]
fn a_decoder_of_the_standard_retires_the_same_compressed_instructions() {
    for seed in 0..24 {
        let compressed::Execution { machine, events, runs, lengths } =
            compressed::execute(seed, 8_000);
        let mut code = Code { lengths, ..Code::default() };
        code.learn(&events);
        retires(machine, &code, &events, &runs, seed);
    }
}
