//! Instructions and data addresses through one port: the module in Verilator, and the execution decoded from its frames.

use tracewright_sim::combined::access_sites::AccessSites;
use tracewright_sim::combined::{self as model, Combined};
use tracewright_sim::event::{Event, Isa, Item, Machine};
use tracewright_sim::program::{Program, ProgramBuilder};
use tracewright_sim::scheme::Design;
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_testbench::BuildOptions;
use tracewright_testbench::combined::run;
use tracewright_testbench::design::source;
use tracewright_testbench::stimulus::{Ready, Stimulus};

use crate::common::chosen;

type Error = Box<dyn std::error::Error + Send + Sync>;

const MACHINE: Machine = Machine { isa: Isa::RiscV, alignment: 1, address_bits: 32 };

/// An execution, its calls with their lengths, and its program.
fn execution(seed: u64, events: u64) -> (Vec<Item>, Program) {
    let options = Options {
        machine: MACHINE,
        events,
        data_accesses: 30,
        threads: 1,
        code_base: 0x1_0000,
        code_span: 1 << 20,
        ..Options::from_seed(seed)
    };
    let mut items: Vec<Item> = Synthetic::new(options).unwrap().items().collect();
    let mut builder = ProgramBuilder::new(MACHINE);
    for item in &items {
        if let Item::Event(event) = item {
            builder.event(event).unwrap();
        }
    }
    let program = builder.finish().unwrap();
    for item in &mut items {
        if let Item::Event(event) = item {
            event.length = program.call_length(event.program_counter).unwrap_or(0);
        }
        *item = comparable(*item);
    }
    (items, program)
}

/// An item as a trace has it: only calls have lengths.
fn comparable(item: Item) -> Item {
    match item {
        Item::Event(event) if !event.call => Item::Event(Event { length: 0, ..event }),
        item => item,
    }
}

#[track_caller]
fn decodes(combined: &Combined, program: &Program, items: &[Item], frames: &[u8]) {
    let all = items.iter().copied().map(Ok::<Item, Error>);
    let sites = AccessSites::learn(all).unwrap();
    let mut back = Vec::new();
    let emit = |item| {
        back.push(comparable(item));
        Ok::<(), Error>(())
    };
    model::decode(combined, program, &sites, frames, u64::MAX, emit).unwrap();
    let same = back.iter().zip(items).take_while(|(one, other)| one == other).count();
    assert_eq!(back.get(same), items.get(same), "item {same}");
    assert_eq!(back.len(), items.len());
}

#[test]
fn an_execution_comes_back_from_one_port() {
    let pairs =
        [("talon-m", "talon-d"), ("traptor-m4", "talon-d"), ("stream-ebase-128", "stride-64")];
    for (seed, (flow, data)) in chosen((0..).zip(pairs), &[1, 2]) {
        let designs = [flow, data].map(|name| Design::preset(name).unwrap());
        let [flow, data] = designs.map(|design| design.for_machine(MACHINE).unwrap());
        let combined = Combined::new(flow, data).unwrap();
        let generated = tracewright_hdl::unit::combined("both", &combined).unwrap();
        let library = source(&generated).build(&BuildOptions::default()).unwrap();
        for (turn, ready) in (0..).zip([Ready::Always, Ready::Bursts, Ready::Random]) {
            let (items, program) = execution(3 * seed + turn, 2_000);
            let stimulus = Stimulus {
                seed: turn,
                ready,
                bubble_percent: [0, 50, 20][turn as usize],
                flush_interval: [None, Some(500), Some(37)][turn as usize],
                ..Stimulus::default()
            };
            let shown = items.iter().copied().map(Ok::<Item, Error>);
            let report = run(&library, &combined, shown, &stimulus).unwrap();
            let accesses = items.iter().filter(|item| matches!(item, Item::Access(_))).count();
            assert!(accesses > 1000 && report.accesses == accesses as u64, "{accesses}");
            decodes(&combined, &program, &items, &report.frames);
        }
        // The model's frames, too.
        let (items, program) = execution(seed, 2_000);
        let mut encoder = model::Encoder::new(&combined).unwrap();
        items.iter().for_each(|item| encoder.item(item).unwrap());
        let mut frames = encoder.take_frames();
        let (last, totals) = encoder.finish();
        frames.extend(last);
        assert_eq!(frames.len() as u64, totals.frame_bytes);
        decodes(&combined, &program, &items, &frames);
    }
}

#[test]
fn designs_that_cannot_share_a_port_are_refused() {
    let preset = |name: &str| Design::preset(name).unwrap();
    let refused = |flow, data, expected: &str| {
        let error = Combined::new(flow, data).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(preset("talon-d"), preset("talon-d"), "`talon-d` traces data addresses, expected");
    refused(preset("talon-m"), preset("talon-s"), "`talon-s` traces control flow, expected");
    refused(preset("nexus-n2"), preset("talon-d"), "`nexus-n2` traces several cores");
    let mut packets = preset("talon-m");
    packets.set("framing", "packets").unwrap();
    refused(packets, preset("talon-d"), "`talon-m` has packets or a filter");
    let mut other = preset("talon-d");
    other.set("reset", "asynchronous").unwrap();
    refused(preset("talon-m"), other, "`talon-m` and `talon-d` differ in reset or clock_enable");
}
