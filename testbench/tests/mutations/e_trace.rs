//! Faults in the module of E-Trace.

use tracewright_sim::event::{Event, Isa, Kind, Machine};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};

use super::subject::Subject;
use super::texts::{Fault, fault};

pub const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// One core with exceptions, and with conditional indirect branches, which RISC-V does not have.
pub fn subject() -> Subject {
    let mut design = Design::preset("etrace-base").unwrap().for_machine(MACHINE).unwrap();
    design.set("retire_count_bits", "3").unwrap();
    Subject { design, programs: [events(41, 1 << 21), events(42, 0xffc0_0000)] }
}

/// A program with exceptions, and loops that random programs do not have.
pub fn events(seed: u64, code_span: u64) -> Vec<Event> {
    let options = Options {
        machine: MACHINE,
        events: 12_000,
        functions: 24,
        predicated: true,
        exceptions: true,
        branch_every_instruction: false,
        code_base: 0x000f_0000,
        code_span,
        threads: 1,
        ..Options::from_seed(seed)
    };
    Synthetic::new(options).unwrap().chain(loops()).collect()
}

/// A loop of direct jumps that an exception leaves, later and right after one that is reported, and in the handler a loop of
/// branches that another leaves when the map is full; an exception one instruction after a jump.
fn loops() -> impl Iterator<Item = Event> {
    let event = |kind, instructions, target| Event {
        instructions,
        program_counter: 0x000f_0000,
        target,
        kind,
        call: false,
        is_return: false,
        taken: true,
        length: 0,
        thread: 0,
    };
    let jump = event(Kind::DirectJump, 1, 0x000f_0000);
    let first = event(Kind::Exception, 0, 0x000f_0000);
    // The first branch is in the trap.
    let branch = event(Kind::DirectConditional, 1, 0x000f_0000);
    let second = event(Kind::Exception, 0, 0x000f_0100);
    let loops = [jump; 7].into_iter().chain([first]).chain([jump; 4]).chain([first]);
    let loops = loops.chain([branch; 32]).chain([second]);
    let indirect = event(Kind::IndirectJump, 1, 0x000f_0100);
    let third = event(Kind::Exception, 1, 0x000f_0000);
    loops.chain([indirect, third, jump])
}

/// Every fault, by module.
pub const FAULTS: &[Fault] = &[
    fault(
        "a negative difference is not cut at its sign",
        "_payload_cut",
        "magnitude = sign ? ~value : value",
        "magnitude = value",
    ),
    fault(
        "a trap's address has a sign",
        "_payload_cut",
        "sign = value[30] & !trap",
        "sign = value[30]",
    ),
    fault(
        "a map is not cut",
        "_payload_cut",
        "searched = cuts_map ? map",
        "searched = cuts_map ? ~map",
    ),
    fault(
        "a map that is cut has its whole head",
        "_payload_cut",
        "cuts_map ? map_head :",
        "(cuts_map && full) ? map_head :",
    ),
    fault(
        "the end after a jump is not told",
        "_payload_cut",
        "others = sign ^ (notify | updiscon)",
        "others = sign ^ notify",
    ),
    fault("a payload has a bit less", "_payload_cut", "least + 7'd8", "least + 7'd7"),
    fault("no map of 16 branches", "_payload_cut", "{4'd0, branches[4]}", "5'd0"),
    fault(
        "an address is sent at once",
        "_record_former",
        "arrives = retire_valid & ((|retire_count) | has_run)",
        "arrives = retire_valid",
    ),
    fault(
        "the trace begins in a straight run",
        "_record_former",
        "begins = arrives & is_unknown & may_change",
        "begins = arrives & is_unknown",
    ),
    fault(
        "the branch at a target is not in its map",
        "_record_former",
        "sent_map = joins ? map_added : map",
        "sent_map = map",
    ),
    fault(
        "the branch after a target is lost",
        "_record_former",
        "if (adds & reports & !joins) begin",
        "if (adds & reports & joins) begin",
    ),
    fault(
        "a branch of a longer block is at the target",
        "_record_former",
        "is_there = meets & is_one",
        "is_there = meets",
    ),
    fault(
        "direct jumps are not limited",
        "_record_former",
        "overflows = (passes == MOST_PASSES) & (jumps & !resolves)",
        "overflows = 1'b0",
    ),
    fault(
        "direct jumps before a last address are not told",
        "_record_former",
        "(lasts_now | ends_last) ? {1'b0, passes}",
        "(lasts_now | ends_last) ? 3'd0",
    ),
    fault(
        "a branch does not end the count of direct jumps",
        "_record_former",
        "|| retire_conditional) begin",
        ") begin",
    ),
    fault(
        "an exception at once is not marked",
        "_record_former",
        "marks = excepts & (is_nothing | resolves) & now_reported",
        "marks = 1'b0",
    ),
    fault(
        "an exception has no second payload",
        "_record_former",
        "starts_second = (lasts & meets) | (leads & !is_reported)",
        "starts_second = (lasts & meets)",
    ),
    fault(
        "the last instruction before an exception is not told",
        "_record_former",
        "lasts = excepts & (is_nothing | resolves) & !now_reported",
        "lasts = excepts & is_nothing & !now_reported",
    ),
    fault(
        "an exception at a target has its handler in a trap",
        "_record_former",
        "end else if (leads) begin\n                        pending <= START;",
        "end else if (leads) begin\n                        pending <= HANDLER;",
    ),
    fault(
        "a full map does not end at its branch",
        "_record_former",
        "is_reported <= (now_reported & !excepts) | makes_full | overflows",
        "is_reported <= (now_reported & !excepts) | overflows",
    ),
    fault(
        "a direct jump that is reported is not the last instruction",
        "_record_former",
        "is_reported <= (now_reported & !excepts) | makes_full | overflows",
        "is_reported <= (now_reported & !excepts) | makes_full",
    ),
    fault(
        "the target of a jump before an exception may be on the way to it",
        "_record_former",
        "unfollowed = (flush & is_target) | (reports & excepts & is_one)",
        "unfollowed = flush & is_target",
    ),
    fault(
        "the target of a jump before an exception is not on the way to it",
        "_record_former",
        "unfollowed = (flush & is_target) | (reports & excepts & is_one)",
        "unfollowed = (flush & is_target) | (reports & excepts)",
    ),
    fault(
        "a flush does not say that nothing was sent for it",
        "_record_former",
        "!makes_payload,",
        "1'b0,",
    ),
    fault(
        "a trap's address is no reference",
        "_record_former",
        "if ((makes_start | makes_trap | makes_report) & record_ready) begin",
        "if ((makes_start | makes_report) & record_ready) begin",
    ),
    fault(
        "the second payload is made again",
        "_encoder",
        "ready = record_ready & !record_former_is_busy",
        "ready = record_ready",
    ),
];
