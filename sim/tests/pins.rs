//! The table of pins: no two pins of one module have one name, and docs/hardware.md has the table.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use tracewright_sim::message_funnel::Messages;
use tracewright_sim::pins::sinks::Outlet;
use tracewright_sim::pins::{Direction, Each, Group, Pin, control, module, sinks};
use tracewright_sim::scheme::Design;
use tracewright_sim::sinks::Sink;
use tracewright_sim::{funnel, message_funnel, ram_sink, system_memory_sink};

const HEAD: &str = "| port | width | meaning |\n|---|---|---|\n";

/// The groups of each table of the page, in its order, and whether it is about memory accesses.
const TABLES: [(&[Group], bool); 5] = [
    (&[Group::Clock], false),
    (&[Group::Block, Group::Answer], false),
    (&[Group::Access, Group::Answer], true),
    (&[Group::Trace, Group::Flush, Group::Level], false),
    (
        &[
            Group::State,
            Group::Loss,
            Group::Answer,
            Group::Switch,
            Group::Sync,
            Group::Time,
            Group::Filter,
            Group::Filtered,
        ],
        false,
    ),
];

/// The pins of a table: those that only some modules have are in the last one.
fn rows(table: usize) -> impl Iterator<Item = &'static Pin> {
    let (groups, of_accesses) = TABLES[table];
    let is_here = move |pin: &&Pin| {
        let is_of_accesses = pin.name == module::DATA_STALL.name && pin.each == Each::Module;
        let is_optional = pin.name == module::DROPS.name;
        pin.group != Group::Answer
            || of_accesses == is_of_accesses && is_optional == (table == TABLES.len() - 1)
    };
    groups
        .iter()
        .flat_map(move |group| module::all().filter(move |pin| pin.group == *group).filter(is_here))
}

fn row<C>(pin: &Pin<C>) -> String {
    let name = if pin.each == Each::Range { format!("{}_N", pin.name) } else { pin.name.into() };
    let out = if pin.direction == Direction::Output { " (out)" } else { "" };
    let when = if pin.when.is_empty() { String::new() } else { format!("with {}: ", pin.when) };
    let meaning = if pin.page.is_empty() { pin.meaning } else { pin.page };
    format!("| `{name}` | {}{out} | {when}{meaning} |\n", pin.width_text)
}

/// With `PINS_UPDATE=always` the page is written.
#[test]
fn the_page_has_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/hardware.md");
    let page = fs::read_to_string(&path).expect("the page");
    let mut parts = page.split(HEAD);
    let mut expected = parts.next().unwrap_or_default().to_owned();
    for table in 0..TABLES.len() {
        let part = parts.next().expect("a table for each entry of TABLES");
        let text = part.find("\n\n").expect("text after it");
        let rows: String = rows(table).map(row).collect();
        write!(expected, "{HEAD}{rows}{}", &part[text + 1..]).expect("room");
    }
    assert_eq!(parts.next(), None, "a table that is in no entry of TABLES");
    compare_or_write(&path, &page, &expected);
}

/// The page of the registers has the bus to the memory of the system, written as above.
#[test]
fn the_page_of_registers_has_the_bus_to_the_memory() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/control.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, table) = page.split_once(HEAD).expect("the table");
    let text = table.find("\n\n").expect("text after it");
    let rows: String = sinks::SYSTEM_MEMORY.iter().map(row).collect();
    let expected = format!("{before}{HEAD}{rows}{}", &table[text + 1..]);
    compare_or_write(&path, &page, &expected);
}

fn compare_or_write(path: &Path, page: &str, expected: &str) {
    if std::env::var_os("PINS_UPDATE").is_some() {
        fs::write(path, expected).expect("the page can be written");
        return;
    }
    let path = path.display();
    assert!(page == expected, "{path} has another table: run with PINS_UPDATE=always");
}

#[test]
fn every_pin_is_in_a_table_of_the_page() {
    let shown: Vec<&Pin> = (0..TABLES.len()).flat_map(rows).collect();
    for pin in module::all() {
        let count = shown.iter().filter(|other| std::ptr::eq(**other, pin)).count();
        assert_eq!(count, 1, "{}", pin.name);
    }
}

#[test]
fn a_name_is_that_of_one_pin() {
    for pin in module::all() {
        let named = module::all().filter(|other| other.is_named(pin.name)).count();
        // One of a module for control flow and one of a module for data addresses.
        let expected = if pin.name == module::STALL.name { 2 } else { 1 };
        assert_eq!(named, expected, "{}", pin.name);
        assert!(!pin.meaning.is_empty() && !pin.width_text.is_empty(), "{}", pin.name);
    }
    let find = |name| module::find(name).map(|pin| pin.name);
    assert_eq!(find("retire_lost_count_3"), Some("retire_lost_count"));
    assert_eq!(find("filter_low_0"), Some("filter_low"));
    for other in ["flush_0", "retire_pc_", "retire_pc_lane0", "retire", "filter_low_x"] {
        assert_eq!(find(other), None, "{other}");
    }
}

/// The width in words is that of the configuration, as far as the words are a number.
#[test]
fn a_fixed_width_is_the_width() {
    fn check<'a, C: 'a>(pins: impl IntoIterator<Item = &'a Pin<C>>, of: &C) {
        for pin in pins.into_iter().filter(|pin| pin.bits(of) > 0) {
            let bits = pin.bits(of);
            assert_eq!(pin.fixed_bits().unwrap_or(bits), bits, "{}", pin.name);
        }
    }
    let design = Design::preset("traptor-m4").expect("a preset");
    let interface = design.interface();
    check(module::all(), &interface);
    let outlet =
        Outlet { trace_port_width: 32, has_packets: true, clock_enable: true, switches: true };
    check(sinks::SINK_SOURCE, &outlet);
    Sink::ALL.into_iter().for_each(|sink| check(sink.pins(), &outlet));
    check(sinks::CHIP_PERIOD, &outlet);
    check(sinks::RAM_SINK, &ram_sink::Config::after(&design, 1024, 0));
    let bus = system_memory_sink::Bus { address_bits: 40, data_bits: 64, burst_beats: 8 };
    let memory = system_memory_sink::Config::after(&design, bus, 0);
    check(sinks::SYSTEM_MEMORY_SINK, &memory);
    check(sinks::SYSTEM_MEMORY, &memory);
    check(sinks::SOURCE, &funnel::Config::default());
    let messages = Messages::NTrace;
    check(sinks::MESSAGE_FUNNEL, &message_funnel::Config { sources: 3, messages });
    check(control::SHARED_SINK, &control::SharedSink { flushes: true });
    check(control::APB, &());
    check(control::AXI_LITE, &());
    check(control::TRIGGERS, &control::Counts { inputs: 3, outputs: 2 });
}
