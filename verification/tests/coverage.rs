//! What is expected of coverage.

use tracewright_testbench::coverage::{Share, Summary};
use tracewright_verification::coverage::{Expected, Measured, Shortfall, Side, kind_of_module};

fn measured(covered: u64, side: Option<Side>) -> Measured {
    let share = Share { covered, all: 100 };
    let summary = Summary { lines: share, branches: share, toggles: share };
    let modules = [("fifo".into(), summary)].into();
    Measured { modules, untaken: side.into_iter().map(|side| (side, 1)).collect() }
}

#[test]
fn floors_and_reasons() {
    let text = include_str!("../src/coverage/expected.toml");
    let table: toml::Table = text.parse().expect("the expectation");
    let expected = Expected::load().expect("the expectation");
    assert_eq!(expected.shortfall(&measured(100, None)), None);
    let below = measured(90, None);
    let text = expected.shortfall(&below).expect("below the floor").to_string();
    let floor = table["floor"]["lines"].as_float().expect("a number");
    assert_eq!(text, format!("fifo: 90.0 % of lines covered, expected {floor} %"));

    let known = &table["untaken"][0];
    let word = |key: &str| known[key].as_str().expect("a text").to_owned();
    let code = format!("if ({})", word("code"));
    let side = Side { module: word("module"), code, side: word("side") };
    let explained = measured(100, Some(side.clone()));
    assert_eq!(expected.shortfall(&explained), None);
    let other = Side { module: "fifo".into(), ..side };
    let unexplained = measured(100, Some(other.clone()));
    assert_eq!(expected.shortfall(&unexplained), Some(Shortfall::Unexplained(&other)));
}

#[test]
fn modules_by_kind() {
    assert_eq!(kind_of_module("traptor_m4", "traptor_m4"), "top");
    assert_eq!(kind_of_module("traptor_m4", "traptor_m4_fifo_depth2_width65"), "fifo");
    assert_eq!(kind_of_module("a", "a_return_address_stack"), "return_address_stack");
}
