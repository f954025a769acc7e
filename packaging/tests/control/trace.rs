//! A program is traced by registers alone: switched on, off, on again and decoded.

use std::sync::Arc;

use tracewright_sim::control::Bus;
use tracewright_sim::event::Kind;
use tracewright_sim::scheme::Design;
use tracewright_sim::unit::{Control, Ingress};
use tracewright_sim::{blocks, tip};
use tracewright_testbench::bus::{Clocked, Master};
use tracewright_testbench::debugger::{ACTIVE, Debugger, EMPTY, LOST, STATUS, TRACING};
use tracewright_testbench::{BuildOptions, Library, Model, design::source};

use super::bus::Pins;
use super::designs::{switched, whole, with_adapter};
use super::traced::{BRIDGE, Bench, Decoded, Parts, Work};
use crate::common::{chosen, for_each};

/// Blocks that an adapter may hold.
const MOST_HELD: usize = 64;

/// A design for the machine of the work, with registers around it, as a model.
pub fn built(
    design: &Design,
    work: &Work,
    control: &Control,
    lanes: u32,
) -> (Design, Arc<Library>) {
    let design = work.design(design);
    let whole = match lanes {
        1 => whole(&design, control),
        _ => with_adapter(&design, control, Ingress::Blocks(blocks::Config::new(lanes))),
    };
    let library = source(&whole).build(&BuildOptions::default());
    (design, library.expect("a model"))
}

/// On before the first instruction, off in each way that there is, and on again: every instruction is traced, or counted
/// as lost.
pub fn on_and_off((library, design, work): Parts<'_>) -> Result<(), String> {
    let mut bench = Bench::new(library, design, work);
    // What the module sends after a reset leaves before anything is written.
    (0..1_000).try_for_each(|_| bench.cycle())?;
    bench.begin(0)?;
    let (mut off, mut status) = (0, 0);
    for switch in [0b10, 0b100, 7 << 4] {
        bench.run(3_000)?;
        status |= bench.read(0)?.0;
        bench.control(TRACING & !switch)?;
        bench.wait(0, EMPTY, EMPTY)?;
        let before = bench.instructions;
        bench.run(1_500)?;
        off += bench.instructions - before;
        // What waits in an adapter leaves it, or tracing could go on after that.
        (0..MOST_HELD).try_for_each(|_| bench.cycle())?;
        bench.control(TRACING)?;
        // Until a block retires that may change the flow, and no core runs, blocks would be lost, but for no overflow.
        let (begun, lost) = (bench.read(STATUS)?.0, bench.read(0)?.0 & LOST & !status);
        if (begun, lost) != (0, 0) {
            return Err("the module takes blocks although it has to begin a packet".into());
        }
    }
    bench.run(3_000)?;
    bench.control(ACTIVE)?;
    status |= bench.wait(0, EMPTY, EMPTY)?;
    let decoded = Decoded::new(design, &work.program, &bench.bytes());
    decoded.check_parts(work)?;
    let lost = decoded.recovered.lost_instructions;
    let account = decoded.recovered.instructions + lost;
    if account != bench.instructions {
        return Err(format!("{account} of {} instructions are accounted for", bench.instructions));
    }
    // A loss goes on up to the first block that may change the flow.
    if decoded.off().iter().sum::<u64>() < off {
        return Err(format!(
            "{:?} instructions were lost, at least {off} should be",
            decoded.off()
        ));
    }
    let first = decoded.gaps.first().map_or(0, |(place, _)| *place);
    if first < 20 || decoded.events.len() < 100 {
        return Err(format!("{first} of {} events before a gap", decoded.events.len()));
    }
    let should_be = bench.waits > 0 || decoded.gaps.len() > decoded.off().len();
    if should_be && status & LOST == 0 {
        Err("trTeInstStallOrOverflow is 0".into())
    } else {
        Ok(())
    }
}

/// A sink that is dead: what is in the module is discarded, and tracing goes on later.
pub fn discarded((library, design, work): Parts<'_>) -> Result<(), String> {
    let mut bench = Bench::new(library, design, work);
    bench.begin(0)?;
    bench.run(3_000)?;
    bench.takes = false;
    bench.control(ACTIVE)?;
    (0..2_000).try_for_each(|_| bench.cycle())?;
    if bench.read(0)?.0 & EMPTY != 0 {
        return Err("trTeEmpty is 1 although the sink is dead".into());
    }
    bench.control(0)?;
    bench.wait(0, EMPTY, EMPTY)?;
    if bench.has_bridge() {
        if bench.pending.is_none() {
            return Err("the dead sink was offered nothing".into());
        }
        if bench.read(BRIDGE)?.0 & EMPTY != 0 {
            return Err("trAtbBridgeEmpty is 1 although a beat is on offer".into());
        }
    }
    bench.takes = true;
    (0..2_000).try_for_each(|_| bench.cycle())?;
    let before = Decoded::new(design, &work.program, &bench.bytes()).events.len();
    bench.control(ACTIVE)?;
    bench.control(TRACING)?;
    bench.run(3_000)?;
    bench.end()?;
    let decoded = Decoded::new(design, &work.program, &bench.bytes());
    decoded.check_parts(work)?;
    let is_discarded = |gap: &str| gap.contains("was discarded");
    if !decoded.gaps.iter().any(|(_, gap)| is_discarded(&gap.reason.to_string())) {
        return Err(format!("no gap says that something was discarded: {:?}", decoded.gaps));
    }
    if decoded.events.len() < before + 100 { Err("tracing does not go on".into()) } else { Ok(()) }
}

/// Packets begin as often as the registers say.
pub fn synchronised((library, design, work): Parts<'_>) -> Result<(), String> {
    let packets = |fields: u32| {
        let mut bench = Bench::new(library, design, work);
        bench.begin(fields)?;
        bench.run(20_000)?;
        bench.control(ACTIVE | fields)?;
        bench.wait(0, EMPTY, EMPTY)?;
        let decoded = Decoded::new(design, &work.program, &bench.bytes());
        decoded.check_parts(work)?;
        Ok::<i64, String>(decoded.recovered.packets as i64)
    };
    let (never, rare, often) =
        (packets(6 << 20)?, packets(2 << 16 | 8 << 20)?, packets(2 << 16 | 6 << 20)?);
    // A packet begins once in so many cycles and those up to the next branch, and the pause after it is not counted.
    let (rare, often) = (rare - never, often - never);
    // A module with a clock enable stands still in one of four.
    let cycles = if design.port().clock_enable { 15_000 } else { 20_000 };
    let holds = (cycles / 4096 - 1..=cycles / 4096).contains(&rare)
        && (cycles * 12 / 20_000..=cycles / 1024).contains(&often);
    if holds { Ok(()) } else { Err(format!("{never} packets, and {rare} and {often} more")) }
}

/// All of it; packets by the counter of cycles where there is no other interval.
pub fn all(parts: Parts<'_>) -> Result<(), String> {
    on_and_off(parts)?;
    discarded(parts)?;
    if parts.1.protocol().interval() == 0 { synchronised(parts) } else { Ok(()) }
}

#[test]
fn registers_alone_trace_a_program() {
    let work = Work::new(40_000);
    let drop = [
        ("when_full", "drop"),
        ("trace_port_width", "8"),
        ("checksum_bits", "16"),
        ("record_queue_depth", "8"),
        ("background_clearing", "true"),
    ];
    let kept = [("sync_interval", "0"), ("sync_keeps_tables", "true")];
    let cases = [
        (switched("traptor-m4", &[("trace_port_width", "8"), ("sync_interval", "0")]), Bus::Apb, 1),
        (switched("talon-s", &drop), Bus::AxiLite, 1),
        (
            switched("traptor-m4", &[("trace_port_width", "16"), ("sync_interval", "0")]),
            Bus::AxiLite,
            2,
        ),
        (
            switched("stream-rbase-32", &[("trace_port_width", "16"), ("reset", "asynchronous")]),
            Bus::Apb,
            4,
        ),
        (switched("nexs", &[("trace_port_width", "16"), ("sync_interval", "0")]), Bus::AxiLite, 1),
        (switched("stream-rbase-32", &kept), Bus::Apb, 1),
    ];
    // One lane and four, a core that waits and one that does not, and the counter of cycles.
    for_each(&chosen(cases, &[0, 1, 3]), |(design, bus, lanes)| {
        let control = Control::new(*bus);
        let (design, library) = built(design, &work, &control, *lanes);
        all((&library, &design, &work)).map_err(|what| format!("{}: {what}", design.name))
    });
}

/// A module whose core retires nothing.
struct Idle(Pins);

impl Clocked for Idle {
    type Error = String;

    fn model(&mut self) -> &mut Model {
        &mut self.0.model
    }

    fn master(&mut self) -> &mut Master {
        &mut self.0.master
    }

    fn cycle(&mut self) -> Result<(), String> {
        self.0.model.cycle().map_err(|error| error.to_string())
    }
}

/// A core waits while its adapter drains, which is not because anything is full.
#[test]
fn the_end_of_a_trace_is_no_overflow() {
    let ingress = Ingress::Tip(tip::Config::default());
    let design = switched("nexs", &[("alignment", "1")]);
    let whole = with_adapter(&design, &Control::new(Bus::Apb), ingress);
    let library = source(&whole).build(&BuildOptions::default()).expect("a model");
    let mut idle = Idle(Pins::new(&library, 1));
    idle.0.set("trace_ready", 1);
    idle.begin(0).expect("tracing begins");
    idle.control(ACTIVE).expect("a write");
    let status = idle.wait(0, EMPTY, EMPTY).expect("the trace ends");
    assert_eq!(status & LOST, 0, "{status:#x}");
}

/// A range of addresses in registers: what begins elsewhere is left out, and counted.
#[test]
fn registers_choose_what_is_traced() {
    let work = Work::new(20_000);
    let design = switched("traptor-m4", &[("trace_port_width", "8"), ("filter_ranges", "2")]);
    let control = Control::new(Bus::Apb);
    let (design, library) = built(&design, &work, &control, 1);
    let mut targets: Vec<u64> =
        work.events.iter().filter(|event| event.taken).map(|event| event.target).collect();
    targets.sort_unstable();
    let (low, high) = (targets[targets.len() / 4], targets[targets.len() / 2]);
    let mut bench = Bench::new(&library, &design, &work);
    bench.control(ACTIVE).expect("a write");
    // Comparator and filter 1, and the selection of filters.
    for (address, value) in [(0x630, low as u32), (0x638, high as u32), (0x420, 1), (0xc, 0b10)] {
        bench.write(address, value, 15).expect("a write");
    }
    bench.begin(0).expect("tracing begins");
    bench.run(40_000).expect("the core runs");
    bench.control(ACTIVE).expect("a write");
    bench.wait(0, EMPTY, EMPTY).expect("the trace leaves");
    let decoded = Decoded::new(&design, &work.program, &bench.bytes());
    decoded.check_parts(&work).expect("parts of the program");
    let recovered = decoded.recovered;
    assert_eq!(
        recovered.instructions + recovered.filtered_instructions,
        bench.instructions,
        "{recovered:?}"
    );
    assert!(recovered.filtered_gaps > 5 && recovered.events > 100, "{recovered:?}");
    assert_eq!(recovered.gaps, recovered.filtered_gaps);
    // Runs begin in the range; after a branch that is not taken, the branch counts.
    let ends: Vec<usize> = decoded.gaps.iter().map(|(place, _)| *place).collect();
    for (place, pair) in (1..).zip(decoded.events.windows(2)) {
        let begin = if pair[0].taken { pair[0].target } else { pair[0].program_counter };
        let passes = (low..=high).contains(&begin);
        let goes_on = ends.contains(&place) || pair[0].kind == Kind::Exception;
        assert!(passes || goes_on, "event {place}: {}", pair[1]);
    }
}
