//! The optional extensions of E-Trace, for which the crate `riscv-etrace` has payloads and no tracer: the crate reads the
//! fields, and this follows the program as the standard's text says.

use std::collections::{BTreeMap, VecDeque};

use riscv_etrace::config::Parameters;
use riscv_etrace::packet::encap::Packet;
use riscv_etrace::packet::ext::{BranchKind, Extension};
use riscv_etrace::packet::payload::{AddressInfo, InstructionTrace, Payload};
use riscv_etrace::packet::sync::{QualStatus, Synchronization};
use riscv_etrace::packet::{self, Error as PacketError};
use riscv_etrace::types::branch::Map;
use tracewright_sim::event::{Event, Isa, Kind, Machine};

use crate::common::{Execution, execution};
use crate::e_trace::{Known, parameters};
use crate::e_trace_returns::Site;
use crate::e_trace_scheme::{
    COMES_AGAIN, encode, fewest_programs, passed, program, random_programs, riscv_traces, stops,
};

/// What a payload says of a branch.
#[derive(Clone, Copy)]
enum Outcome {
    Taken(bool),
    Predicted(bool),
}

/// An instruction address with what goes with it.
#[derive(Clone, Copy, Default)]
struct Report {
    notify: bool,
    updiscon: bool,
    depth: Option<usize>,
}

/// An address before this payload was not that of a last instruction.
fn follows_jump(payload: &InstructionTrace) -> bool {
    match payload {
        InstructionTrace::Synchronization(Synchronization::Support(support)) => {
            support.qual_status == QualStatus::EndedNtr
        }
        payload => !matches!(payload, InstructionTrace::Synchronization(_)),
    }
}

/// The state of a decoder.
struct Follower<'a> {
    sites: &'a BTreeMap<u64, Site>,
    found: Vec<u64>,
    is_started: bool,
    pc: u64,
    last_pc: u64,
    address: u64,
    /// The last address was met before a jump, and may be that of another time round.
    is_inferred: bool,
    /// The depth that came with it.
    inferred_depth: Option<usize>,
    stops_at_branch: bool,
    outcomes: VecDeque<Outcome>,
    calls: VecDeque<u64>,
    most_calls: usize,
    targets: Vec<Option<u64>>,
    counters: Vec<u8>,
}

impl<'a> Follower<'a> {
    fn new(sites: &'a BTreeMap<u64, Site>, [calls, targets, counters]: [u8; 3]) -> Self {
        let entries = |bits| if bits > 0 { 1usize << bits } else { 0 };
        Self {
            sites,
            found: Vec::new(),
            is_started: false,
            pc: 0,
            last_pc: 0,
            address: 0,
            is_inferred: false,
            inferred_depth: None,
            stops_at_branch: false,
            outcomes: VecDeque::new(),
            calls: VecDeque::new(),
            most_calls: entries(calls),
            targets: vec![None; entries(targets)],
            counters: vec![1; entries(counters)],
        }
    }

    fn site(&self, address: u64) -> &'a Site {
        self.sites.get(&address).unwrap_or_else(|| panic!("no code at {address:#x}"))
    }

    fn is_branch(&self, address: u64) -> bool {
        matches!(self.site(address).known, Known::Branch(_))
    }

    /// An instruction retires.
    fn pass(&mut self) {
        if !matches!(self.site(self.pc).known, Known::Run(_)) {
            self.found.push(self.pc);
        }
    }

    fn synchronise(&mut self, address: u64, branch: bool) {
        self.calls.clear();
        self.targets.fill(None);
        self.counters.fill(1);
        self.outcomes.clear();
        if self.is_branch(address) {
            self.outcomes.push_back(Outcome::Taken(!branch));
        }
        (self.address, self.pc, self.last_pc) = (address, address, address);
        (self.is_started, self.is_inferred, self.stops_at_branch) = (true, false, false);
        self.pass();
    }

    fn payload(&mut self, payload: &InstructionTrace) {
        if self.is_inferred && follows_jump(payload) {
            self.go_round();
        }
        match payload {
            InstructionTrace::Synchronization(Synchronization::Start(start)) => {
                self.synchronise(start.address, start.branch);
            }
            InstructionTrace::Synchronization(Synchronization::Trap(trap)) if trap.thaddr => {
                self.synchronise(trap.address, trap.branch);
            }
            // A start at the handler follows.
            InstructionTrace::Synchronization(Synchronization::Trap(_)) => {}
            InstructionTrace::Synchronization(Synchronization::Support(_)) => {
                self.is_started = false;
            }
            InstructionTrace::Synchronization(_) => panic!("a context"),
            InstructionTrace::Address(info) => self.report(info),
            InstructionTrace::Branch(branch) => {
                self.add_map(branch.branch_map);
                match &branch.address {
                    Some(info) => self.report(info),
                    None => self.branches_alone(),
                }
            }
            InstructionTrace::Extension(Extension::BranchCount(branches)) => {
                let predicted = 31 + branches.branch_count as usize;
                self.outcomes.extend(std::iter::repeat_n(Outcome::Predicted(true), predicted));
                if !matches!(branches.kind, BranchKind::Addr(_)) {
                    self.outcomes.push_back(Outcome::Predicted(false));
                }
                match &branches.kind {
                    BranchKind::NoAddr => self.branches_alone(),
                    BranchKind::Addr(info) | BranchKind::AddrFail(info) => self.report(info),
                }
            }
            InstructionTrace::Extension(Extension::JumpTargetIndex(target)) => {
                self.add_map(target.branch_map);
                self.address = self.targets[target.index].expect("a target that was sent");
                self.follow(Report { depth: target.irdepth, ..Report::default() });
            }
        }
    }

    fn add_map(&mut self, mut map: Map) {
        self.outcomes.extend(std::iter::from_fn(|| map.pop_taken()).map(Outcome::Taken));
    }

    fn branches_alone(&mut self) {
        self.stops_at_branch = true;
        self.follow(Report::default());
    }

    fn report(&mut self, info: &AddressInfo) {
        self.address = self.address.wrapping_add_signed(info.address);
        self.stops_at_branch = false;
        // Only jumps' targets are kept, and after that of a last instruction all are forgotten.
        if !info.notify && !self.targets.is_empty() {
            let place = (self.address >> 1) as usize % self.targets.len();
            self.targets[place] = Some(self.address);
        }
        let AddressInfo { notify, updiscon, irdepth: depth, .. } = *info;
        self.follow(Report { notify, updiscon, depth });
    }

    /// Only the branch at the address at hand may be left.
    fn are_branches_done(&self) -> bool {
        self.outcomes.len() == usize::from(self.is_branch(self.pc))
    }

    /// Follows the program to the same address after a jump, before the outcomes of the next payload are added: a branch on
    /// the way would have told one time round from the next.
    fn go_round(&mut self) {
        let address = self.pc;
        while !self.next(address, self.inferred_depth) {
            self.pass();
        }
        self.pass();
        self.is_inferred = false;
    }

    fn follow(&mut self, report: Report) {
        assert!(self.is_started, "an address before a start");
        loop {
            let is_target = self.next(self.address, report.depth);
            self.pass();
            if self.stops_at_branch {
                if self.outcomes.len() == 1 && self.is_branch(self.pc) {
                    self.stops_at_branch = false;
                    return;
                }
                assert!(!is_target, "a jump among branches");
                continue;
            }
            if is_target {
                // The branch at the target of a last jump has no outcome, because it did not retire.
                let most = usize::from(self.is_branch(self.pc));
                assert!(self.outcomes.len() <= most, "branches are left at {:#x}", self.pc);
                return;
            }
            if self.pc != self.address || !self.are_branches_done() {
                continue;
            }
            let is_jump = matches!(self.site(self.last_pc).known, Known::Indirect);
            let is_deep = report.depth.is_none_or(|depth| depth == self.calls.len());
            if report.notify || !is_jump && !report.updiscon && is_deep {
                (self.is_inferred, self.inferred_depth) = (!report.notify, report.depth);
                return;
            }
        }
    }

    /// Goes on to the next instruction; true if that is the target of a jump, which the trace says.
    fn next(&mut self, address: u64, depth: Option<usize>) -> bool {
        let (this, site) = (self.pc, self.site(self.pc));
        let mut is_target = false;
        self.pc = match site.known {
            Known::Run(distance) | Known::Jump(distance) => {
                this.wrapping_add_signed(distance.into())
            }
            Known::Branch(distance) if self.is_taken(this) => {
                this.wrapping_add_signed(distance.into())
            }
            Known::Branch(_) | Known::Plain => this + 2,
            Known::Indirect => match self.inferred(site, address, depth) {
                Some(target) => target,
                None => {
                    is_target = true;
                    address
                }
            },
        };
        if site.is_call && self.most_calls > 0 {
            if self.calls.len() == self.most_calls {
                self.calls.pop_front();
            }
            self.calls.push_back(this + u64::from(site.length));
        }
        self.last_pc = this;
        is_target
    }

    /// Where a return goes, unless it is the one that is reported, which is none before the last branch.
    fn inferred(&mut self, site: &Site, address: u64, depth: Option<usize>) -> Option<u64> {
        let left = usize::from(self.is_branch(address));
        let is_reported = depth == Some(self.calls.len()) && self.outcomes.len() <= left;
        if site.is_return && !is_reported { self.calls.pop_back() } else { None }
    }

    fn is_taken(&mut self, address: u64) -> bool {
        let outcome = self.outcomes.pop_front().expect("an outcome");
        let entries = self.counters.len().max(1);
        let counter = self.counters.get_mut((address >> 1) as usize % entries);
        let prediction = counter.as_ref().is_some_and(|counter| **counter >= 2);
        let taken = match outcome {
            Outcome::Taken(taken) => taken,
            Outcome::Predicted(is_right) => prediction == is_right,
        };
        if let Some(counter) = counter {
            // The states after a branch that is not taken, and after one that is.
            let next = [(0, 1), (0, 3), (0, 3), (2, 3)][usize::from(*counter)];
            *counter = if taken { next.1 } else { next.0 };
        }
        taken
    }
}

/// Sizes, and the parameters that make them.
pub type Setting = ([u8; 3], &'static [(&'static str, &'static str)]);

/// The binary logarithms of the entries of stack, cache and predictor; and the settings that make them. A cache without a
/// predictor is not here: the crate takes every payload without a subformat for a count.
pub const EXTENSIONS: [Setting; 5] = [
    ([3, 6, 6], &[]),
    ([3, 6, 6], &[("branch_count_bits", "2")]),
    ([0, 6, 6], &[("return_stack_entries", "0")]),
    ([0, 0, 6], &[("jump_target_cache_entries", "0"), ("return_stack_entries", "0")]),
    (
        [1, 1, 1],
        &[
            ("jump_target_cache_entries", "2"),
            ("branch_predictor_entries", "2"),
            ("return_stack_entries", "2"),
        ],
    ),
];

/// Every address that the execution passes is found.
#[track_caller]
pub fn is_followed(execution: &Execution, (bits, changes): Setting, what: &str) -> usize {
    let what = format!("{bits:?}, {what}");
    let (bytes, _) = encode("etrace-full", changes, execution);
    let parameters = Parameters {
        return_stack_size_p: bits[0],
        cache_size_p: bits[1],
        f0s_width_p: u8::from(bits[1] > 0 && bits[2] > 0),
        ..parameters(execution)
    };
    let sites = program(&execution.events);
    let mut follower = Follower::new(&sites, bits);
    let mut decoder = packet::builder().with_params(&parameters).decoder(&bytes);
    loop {
        let packet = match decoder.decode_encap_packet() {
            Ok(Packet::Normal(packet)) => packet,
            Ok(_) => continue,
            Err(PacketError::InsufficientData(_)) => break,
            Err(error) => panic!("{what}: {error:?}"),
        };
        if let Payload::InstructionTrace(payload) = packet.decode_payload().unwrap() {
            follower.payload(&payload);
        }
    }
    let (found, passed) = (follower.found, passed(&stops(&execution.events), &execution.events));
    let same = found.iter().zip(&passed).take_while(|(one, other)| one == other).count();
    let at = (found.get(same), passed.get(same));
    assert_eq!(same, passed.len(), "{what}: address {same}: {at:x?}");
    // The target of a last jump is reported as if an instruction had retired there.
    assert!(found.len() <= passed.len() + 1, "{what}: {} addresses", found.len());
    passed.len()
}

#[test]
fn every_trace_of_riscv_is_followed_with_extensions() {
    for (name, execution) in riscv_traces() {
        for extensions in EXTENSIONS {
            let addresses = is_followed(&execution, extensions, &name);
            println!("{:?}, {name}: {addresses} addresses", extensions.0);
            assert!(addresses > 50_000, "{name}: {addresses} addresses");
        }
    }
}

#[test]
fn random_programs_are_followed_with_extensions() {
    for exceptions in [false, true] {
        let mut programs = 0;
        for (seed, execution) in random_programs(exceptions) {
            let has_stack = |bits: [u8; 3]| bits[0] > 0;
            for extensions in EXTENSIONS {
                if !(has_stack(extensions.0) && COMES_AGAIN.contains(&seed)) {
                    is_followed(&execution, extensions, &format!("seed {seed}"));
                    programs += 1;
                }
            }
        }
        assert!(programs >= fewest_programs() * EXTENSIONS.len(), "{programs} programs");
    }
}

#[test]
fn a_return_that_goes_back_a_little_and_is_inferred_the_next_time_is_followed() {
    let event = |kind, instructions, program_counter, target| Event {
        instructions,
        program_counter,
        target,
        kind,
        call: false,
        is_return: false,
        taken: true,
        length: 0,
        thread: 0,
    };
    let back = |target| Event { is_return: true, ..event(Kind::IndirectJump, 3, 0x2010, target) };
    let events = vec![
        Event { call: true, ..event(Kind::DirectJump, 1, 0x1000, 0x2000) },
        // 0x2008 is met on the way to this return, at its depth; no later payload has a depth.
        Event { instructions: 5, ..back(0x2008) },
        back(0x1004),
        event(Kind::IndirectJump, 1, 0x1004, 0x3000),
        event(Kind::DirectJump, 1, 0x3000, 0x3004),
    ];
    let machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };
    let execution = execution(machine, events);
    for extensions in EXTENSIONS {
        assert_eq!(is_followed(&execution, extensions, "a return"), 5);
    }
}
