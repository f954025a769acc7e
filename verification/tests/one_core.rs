//! Threads of a trace as one core runs them.

use tracewright_sim::event::{Event, Item, Kind};
use tracewright_verification::threads::OneCore;

fn jump(thread: u8, instructions: u64, from: u64, to: Option<u64>) -> Item {
    let event = Event::straight_run(instructions, from);
    Item::Event(Event {
        kind: Kind::DirectConditional,
        target: to.unwrap_or(0),
        taken: to.is_some(),
        thread,
        ..event
    })
}

fn run(quantum: u64, items: &[Item]) -> (Vec<String>, OneCore) {
    let (mut core, mut lines) = (OneCore::new(quantum), Vec::new());
    let mut emit = |item: Item| {
        assert_eq!(item.thread(), 0);
        lines.push(match item {
            Item::Event(event) => {
                format!(
                    "{} {} {:#x} {:#x}",
                    event.instructions, event.kind, event.program_counter, event.target
                )
            }
            Item::State(state) => format!("context {}", state.context),
            Item::Access(access) => format!("access {}", access.site.instructions),
            Item::Cycles(cycles) => format!("cycles {cycles}"),
        });
    };
    items.iter().for_each(|item| core.item(*item, &mut emit));
    core.finish(emit);
    (lines, core)
}

#[test]
fn threads_take_turns_at_taken_branches() {
    let items = [
        jump(0, 6, 0x100, None),
        jump(1, 5, 0x200, Some(0x240)),
        jump(0, 5, 0x120, Some(0x180)),
        jump(1, 7, 0x260, Some(0x280)),
        jump(0, 2, 0x184, Some(0x100)),
    ];
    let (lines, core) = run(10, &items);
    let expected = [
        "6 direct-conditional 0x100 0x0",
        "5 direct-conditional 0x120 0x180",
        "0 exception 0x120 0x200",
        "context 1",
        "1 direct-conditional 0x200 0x240",
        "7 direct-conditional 0x260 0x280",
        "0 exception 0x260 0x180",
        "context 0",
        "2 direct-conditional 0x184 0x100",
    ];
    assert_eq!(lines, expected);
    assert_eq!((core.left_out(), core.switches()), (4, 2));
}

/// A straight run and the switch after it are one exception.
#[test]
fn a_straight_run_ends_in_the_switch() {
    let straight = |thread, instructions, from| {
        Item::Event(Event { thread, ..Event::straight_run(instructions, from) })
    };
    let mut items = vec![straight(0, 4, 0x10c), straight(0, 3, 0x118)];
    items.extend([jump(1, 12, 0x200, Some(0x200)), straight(1, 2, 0x204)]);
    let (lines, _) = run(10, &items);
    let expected = [
        "4 exception 0x10c 0x0",
        "3 exception 0x118 0x200",
        "context 1",
        "1 direct-conditional 0x200 0x200",
        "2 exception 0x204 0x0",
    ];
    assert_eq!(lines, expected);
}

/// A captured thread begins with an exception to its first instruction, and the switch leads there.
#[test]
fn a_captured_thread_begins_at_its_first_instruction() {
    let begins = Item::Event(Event { thread: 1, ..Event::exception(0, 0, 0x200) });
    let items = [
        jump(0, 12, 0x100, Some(0x180)),
        begins,
        jump(1, 5, 0x210, Some(0x240)),
        jump(0, 2, 0x184, Some(0x100)),
    ];
    let (lines, core) = run(10, &items);
    let expected = [
        "12 direct-conditional 0x100 0x180",
        "2 direct-conditional 0x184 0x100",
        "0 exception 0x184 0x200",
        "context 1",
        "5 direct-conditional 0x210 0x240",
    ];
    assert_eq!(lines, expected);
    assert_eq!((core.left_out(), core.switches()), (0, 1));
}

#[test]
fn a_thread_without_events_waits() {
    let mut items = vec![jump(0, 3, 0x100, None)];
    items.extend((0..4).map(|_| jump(1, 5, 0x200, Some(0x200))));
    items.push(jump(0, 4, 0x110, Some(0x100)));
    let (lines, core) = run(10, &items);
    let expected = [
        "3 direct-conditional 0x100 0x0",
        "0 exception 0x100 0x200",
        "context 1",
        "1 direct-conditional 0x200 0x200",
        "5 direct-conditional 0x200 0x200",
        "5 direct-conditional 0x200 0x200",
        "5 direct-conditional 0x200 0x200",
        "0 exception 0x200 0x110",
        "context 0",
        "1 direct-conditional 0x110 0x100",
    ];
    assert_eq!(lines, expected);
    assert_eq!((core.left_out(), core.switches()), (7, 2));
}
