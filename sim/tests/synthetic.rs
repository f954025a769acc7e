//! Synthetic traces are what one program does, whatever the seed.

use std::collections::HashMap;

use proptest::prelude::*;
use tracewright_sim::event::{Access, Event, Isa, Item, Kind, Machine};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io::{Extensions, Format, Validator, Writer, WriterOptions};

use crate::common::is_long;

/// What stays the same for all events of one branch instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Static {
    kind: Kind,
    call: bool,
    is_return: bool,
    length: u8,
}

/// Instruction counts between addresses, as far as events tell: a union-find with distances.
#[derive(Default)]
struct Distances {
    /// The address it is measured from, and how many instructions after it.
    parent: HashMap<u64, (u64, i64)>,
}

impl Distances {
    fn root(&mut self, address: u64) -> (u64, i64) {
        match self.parent.get(&address).copied() {
            None => (address, 0),
            Some((parent, distance)) => {
                let (root, more) = self.root(parent);
                self.parent.insert(address, (root, distance + more));
                (root, distance + more)
            }
        }
    }

    /// Learns that `to` is `count` instructions after `from`.
    fn learn(&mut self, from: u64, to: u64, count: i64) {
        let (from_root, from_distance) = self.root(from);
        let (to_root, to_distance) = self.root(to);
        if from_root == to_root {
            assert_eq!(
                to_distance - from_distance,
                count,
                "instructions from {from:#x} to {to:#x}"
            );
        } else {
            self.parent.insert(to_root, (from_root, from_distance + count - to_distance));
        }
    }
}

const EXTENSIONS: Extensions =
    Extensions { lengths: true, data: true, threads: true, states: false, cycles: false };

/// Where each thread is, and what is known of the program they share.
struct Checker {
    machine: Machine,
    validator: Validator,
    branches: HashMap<u64, Static>,
    direct_targets: HashMap<u64, u64>,
    distances: Distances,
    threads: [Option<(Event, u64)>; 8],
}

impl Checker {
    fn new(machine: Machine) -> Checker {
        Checker {
            machine,
            validator: Validator::new(machine, EXTENSIONS).expect("a legal machine"),
            branches: HashMap::new(),
            direct_targets: HashMap::new(),
            distances: Distances::default(),
            threads: [None; 8],
        }
    }

    fn check(&mut self, event: &Event) {
        self.validator.check(event).unwrap_or_else(|violation| panic!("{event:?}: {violation}"));
        let legal = match (self.machine.isa, self.machine.alignment) {
            (Isa::X86, _) => (1..=15).contains(&event.length),
            (_, 2) => event.length == 4,
            _ => matches!(event.length, 2 | 4),
        };
        assert!(legal, "{event:?}");

        let previous = self.threads[usize::from(event.thread)];
        let address = event.program_counter;
        if let Some((previous, next)) = previous {
            if event.instructions == 0 {
                assert_eq!(address, previous.program_counter, "{event:?}");
                assert_eq!(event.length, previous.length, "{event:?}");
            } else {
                let longest = if self.machine.isa == Isa::X86 { 15 } else { 4 };
                let shortest = 1u64 << self.machine.alignment;
                let plain = event.instructions - 1;
                assert!(address - next >= plain * shortest, "{event:?}");
                assert!(address - next <= plain * longest, "{event:?}");
                self.distances.learn(next, address, plain as i64);
            }
        }
        let after = address + u64::from(event.length);
        self.distances.learn(address, after, 1);
        if event.kind != Kind::Exception {
            let Event { kind, call, is_return, length, .. } = *event;
            let known = Static { kind, call, is_return, length };
            assert_eq!(*self.branches.entry(address).or_insert(known), known, "{event:?}");
            if event.taken && !kind.is_indirect() {
                let target = *self.direct_targets.entry(address).or_insert(event.target);
                assert_eq!(event.target, target, "{event:?}");
            }
        } else if event.instructions > 0 {
            assert!(!self.branches.contains_key(&address), "{event:?}");
        }
        let next = if event.taken { event.target } else { after };
        self.threads[usize::from(event.thread)] = Some((*event, next));
    }

    /// The instruction of an access has its place in the program too.
    fn check_access(&mut self, access: &Access) {
        self.validator.check_access(access).expect("a valid access");
        let site = access.site;
        if let Some((_, begin)) = self.threads[usize::from(site.thread)] {
            self.distances.learn(begin, site.program_counter, site.instructions as i64 - 1);
        }
    }
}

fn check(options: Options) -> Vec<Event> {
    let mut checker = Checker::new(options.machine);
    let events: Vec<Event> = Synthetic::new(options.clone()).expect("legal options").collect();
    let mut expected = events.iter();
    for item in Synthetic::new(options).expect("legal options").items() {
        match item {
            Item::Access(access) => checker.check_access(&access),
            Item::State(_) | Item::Cycles(_) => panic!("a synthetic program has neither"),
            Item::Event(event) => {
                assert_eq!(Some(&event), expected.next());
                checker.check(&event);
            }
        }
    }
    assert_eq!(expected.next(), None);
    // An exception may come before the branch of the same address is known.
    for event in &events {
        if event.kind == Kind::Exception && event.instructions > 0 {
            assert!(!checker.branches.contains_key(&event.program_counter), "{event:?}");
        }
    }
    events
}

#[test]
fn every_seed_is_consistent() {
    for seed in 0..if is_long() { 200 } else { 40 } {
        let data_accesses = [0, 0, 0, 25][seed as usize % 4];
        let events = check(Options { events: 20_000, data_accesses, ..Options::from_seed(seed) });
        assert_eq!(events.len(), 20_000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn every_option_is_consistent(
        seed in any::<u64>(),
        machine in prop::sample::select(vec![
            Machine { isa: Isa::Arm, alignment: 2, address_bits: 32 },
            Machine { isa: Isa::Arm, alignment: 1, address_bits: 32 },
            Machine { isa: Isa::RiscV, alignment: 1, address_bits: 64 },
            Machine { isa: Isa::RiscV, alignment: 2, address_bits: 32 },
            Machine { isa: Isa::X86, alignment: 0, address_bits: 64 },
        ]),
        functions in 1u32..60,
        (exceptions, predicated, branch_every_instruction) in any::<(bool, bool, bool)>(),
        predictability in 0u8..=100,
        recursion_depth in 1u32..100,
        at_the_top in any::<bool>(),
        (threads, uneven) in (1u8..=8, any::<bool>()),
        data_accesses in 0u8..=100,
    ) {
        let top = u64::MAX >> (64 - machine.address_bits);
        let code_base = if at_the_top { top & !7 } else { 0x1000 };
        let options = Options {
            seed,
            machine,
            events: 5000,
            functions,
            exceptions,
            predicated,
            branch_every_instruction,
            predictability,
            recursion_depth,
            code_base,
            code_span: (top - code_base).min(1 << 24),
            threads,
            uneven,
            data_accesses,
            long_runs: false,
            begins_inside: false,
        };
        let events = check(options);
        prop_assert!(exceptions || events.iter().all(|event| event.kind != Kind::Exception));
        prop_assert!(!branch_every_instruction || events.iter().all(|event| event.instructions < 2));
        prop_assert!(predicated || events.iter().all(|event| event.kind != Kind::IndirectConditional));
    }
}

#[test]
fn returns_go_back_to_the_latest_call() {
    for seed in 0..40 {
        let options = Options { exceptions: false, ..Options::from_seed(seed) };
        let mut stack = Vec::new();
        for event in Synthetic::new(options).expect("legal options").filter(|event| event.taken) {
            if event.is_return {
                assert_eq!(stack.pop(), Some(event.target), "seed {seed}, {event:?}");
            }
            if event.call {
                stack.push(event.program_counter + u64::from(event.length));
            }
        }
    }
}

#[test]
fn handlers_return_to_where_the_exception_came_from() {
    for seed in 0..40 {
        let mut interrupted = Vec::new();
        let mut next = None;
        let mut exceptions = 0;
        let mut handlers = Vec::new();
        for event in Synthetic::new(Options::from_seed(seed)).expect("legal options") {
            // The innermost first: an address may be interrupted twice.
            let back = interrupted.last() == Some(&event.target)
                && event.taken
                && !event.call
                && !event.is_return;
            let ends = matches!(event.kind, Kind::Exception | Kind::IndirectJump);
            if back && ends {
                interrupted.pop();
            } else if event.kind == Kind::Exception && event.taken {
                let after = event.program_counter + u64::from(event.length);
                interrupted.push(if event.instructions == 0 { next.unwrap_or(0) } else { after });
                exceptions += 1;
                handlers.push(event.target);
            }
            next = Some(if event.taken {
                event.target
            } else {
                event.program_counter + u64::from(event.length)
            });
        }
        assert!(
            interrupted.len() <= 4,
            "seed {seed}: {} handlers are still open",
            interrupted.len()
        );
        assert!(exceptions > 20, "seed {seed}: {exceptions} exceptions");
        handlers.sort();
        handlers.dedup();
        assert!(handlers.len() <= 3, "seed {seed}: {handlers:#x?}");
    }
}

#[test]
fn the_seeds_cover_what_encoders_find_hard() {
    let mut seen = HashMap::new();
    for seed in 0..50 {
        let options = Options::from_seed(seed);
        let machine = options.machine;
        let mut see =
            |what: &'static str, now: bool| *seen.entry(what).or_insert(0u64) += u64::from(now);
        let (mut lowest, mut highest) = (u64::MAX, 0);
        let mut depth = 0i64;
        let mut previous: Option<Event> = None;
        for event in Synthetic::new(options).expect("legal options") {
            let Event { kind, call, is_return, taken, .. } = event;
            lowest = lowest.min(event.program_counter);
            highest = highest.max(event.program_counter);
            depth += i64::from(call && taken) - i64::from(is_return && taken);
            see("arm", machine.isa == Isa::Arm);
            see("riscv", machine.isa == Isa::RiscV);
            see("x86", machine.isa == Isa::X86);
            see("direct jump", kind == Kind::DirectJump && !call);
            see("tail call or switch", kind == Kind::IndirectJump && !call && !is_return);
            see("direct call", kind == Kind::DirectJump && call);
            see("conditional call", kind == Kind::DirectConditional && call);
            see("indirect call", kind == Kind::IndirectJump && call && !is_return);
            see("conditional indirect call", kind == Kind::IndirectConditional && call && !taken);
            see("return", kind == Kind::IndirectJump && is_return && !call);
            see(
                "conditional return taken",
                kind == Kind::IndirectConditional && is_return && taken,
            );
            see(
                "conditional return not taken",
                kind == Kind::IndirectConditional && is_return && !taken,
            );
            see("coroutine", call && is_return);
            see("system call", kind == Kind::Exception && !taken);
            see("exception", kind == Kind::Exception && taken && event.instructions > 0);
            see("exception right after a branch", event.instructions == 0);
            let exception = |event: Event| event.kind == Kind::Exception && event.taken;
            see(
                "exception right after an exception",
                event.instructions == 0 && previous.is_some_and(exception),
            );
            see("block of one instruction", event.instructions == 1);
            see("stream longer than 255", event.instructions > 255);
            see("branch to itself", taken && event.target == event.program_counter);
            see(
                "branch to the next instruction",
                taken && event.target == event.program_counter + u64::from(event.length),
            );
            see("address above 2^32", event.program_counter >> 32 != 0);
            see("address above 2^63", event.program_counter >> 63 != 0);
            see("calls deeper than 32", depth > 32);
            previous = Some(event);
        }
        see("code wider than 1 MB", highest - lowest > 1 << 20);
    }
    let missing: Vec<_> = seen.iter().filter(|(_, count)| **count == 0).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// That of the trace in PET1.
fn checksum(machine: Machine, extensions: Extensions, items: impl Iterator<Item = Item>) -> u32 {
    let options = WriterOptions { format: Format::Pet1, extensions, ..WriterOptions::default() };
    let mut writer = Writer::new(Vec::new(), machine, options).expect("a legal machine");
    items.for_each(|item| writer.write_item(&item).expect("a valid item"));
    crc32fast::hash(&writer.finish().expect("memory takes all"))
}

/// A change here changes every test that names a seed: it wants a reason.
#[test]
fn a_seed_means_the_same_for_ever() {
    let checksums: Vec<u32> = [0, 1, 2, 3, u64::MAX]
        .map(|seed| {
            let synthetic = Synthetic::new(Options::from_seed(seed)).expect("legal options");
            checksum(synthetic.machine(), Extensions::LENGTHS, synthetic.map(Item::Event))
        })
        .to_vec();
    assert_eq!(checksums, [2355598303, 2542452139, 3394059727, 10948435, 1346973264]);
    let with_data: Vec<u32> = [0, 1, 2, 3]
        .map(|seed| {
            let options = Options { events: 10_000, data_accesses: 40, ..Options::from_seed(seed) };
            let extensions = Extensions { data: true, ..Extensions::LENGTHS };
            checksum(options.machine, extensions, Synthetic::new(options).expect("legal").items())
        })
        .to_vec();
    assert_eq!(with_data, [638895763, 3449769389, 1668906419, 3932234276]);
}

/// Threads that are uneven differ in rate and run in bursts, on the same program as even ones.
#[test]
fn uneven_threads_have_rates_and_bursts() {
    let even = Options { events: 40_000, threads: 4, ..Options::from_seed(3) };
    let events = check(Options { uneven: true, ..even.clone() });
    let mut counts = [0u32; 4];
    events.iter().for_each(|event| counts[usize::from(event.thread)] += 1);
    let (least, most) = (counts.iter().min().unwrap(), counts.iter().max().unwrap());
    assert!(*least > 0 && *most > 3 * least, "{counts:?}");
    let runs: Vec<usize> =
        events.chunk_by(|one, next| one.thread == next.thread).map(<[Event]>::len).collect();
    assert!(runs.iter().any(|run| *run > 100) && runs.contains(&1));
    let first = |options| Synthetic::new(options).expect("legal options").next();
    let alone = Options { threads: 1, ..even.clone() };
    assert_eq!(first(Options { uneven: true, ..alone.clone() }), first(alone));
}
