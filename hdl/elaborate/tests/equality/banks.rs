//! Registers, loops, vectors, sub-blocks, parameters and both resets.

use crate::bench;
use crate::harness::{Bench, Judge, compare, compare_with};
use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, Reset, elaborate};

block! {
    /// A saturating counter that clears, holds or counts by a step.
    Counter("counter") of (width: usize);
    parameters { width }

    in command: 2;
    in step: 1;
    out value: width;
    out is_full: 1;
    /// stays at its maximum
    reg count: width;
    param full = !Word::zero(width);
}

impl Logic for Counter {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_full.next = (self.count.q.val() == self.full.val()).into();
        self.value.next = self.count.q.val();
        match self.command.val().index() {
            0 => {}
            1 => self.count.d.next = 0.into(),
            3 => {
                if !self.is_full.val().any() {
                    self.count.d.next =
                        self.count.q.val() + bits_to(self.step.val(), self.count.width());
                }
            }
            _ => {
                if self.step.val().any() {
                    self.count.d.next = self.full.val();
                } else if self.count.q.val().any() {
                    self.count.d.next = self.count.q.val() - 1;
                }
            }
        }
    }
}

bench!(Counter, [command, step], [value, is_full]);

block! {
    /// Counters of two widths, some of them optional, and a priority choice among them.
    Bank("bank") of (count: usize, width: usize, wide: bool) {
        let total_bits = width + 4;
    }
    parameters { count, width, wide }

    in command: 2;
    in select: count.next_power_of_two().ilog2() as usize;
    in lanes_in: count * width;
    out chosen: width;
    out lanes_out: count * width;
    out total: total_bits;
    out found: 1;
    out first_full: count.next_power_of_two().ilog2() as usize;
    block counters: Counter(width) for _ in 0..count;
    block wide: Counter(total_bits) if wide;
    block extra: Counter(total_bits) for _ in 0..usize::from(wide);
    local lanes: width for _ in 0..count;
    reg history: width = index % 2 for index in 0..count + 1;
    local running: total_bits;
    param has_wide = wide;
    param lane_width = width;
}

impl Logic for Bank {
    #[hdl_gen]
    fn update(&mut self) {
        self.chosen.next = 0.into();
        self.running.next = 0.into();
        self.lanes_out.next = 0.into();
        self.found.next = false.into();
        self.first_full.next = 0.into();
        for i in 0..self.counters.len() {
            self.lanes[i].next =
                unsigned_cast_to_fit(self.lanes_in.val() >> (i * self.lane_width.val()));
            self.counters[i].command.next = 0.into();
            self.counters[i].step.next = self.lanes[i].val().get_bit(0).into();
            if self.select.val() == i {
                self.chosen.next = self.counters[i].value.val();
                self.counters[i].command.next = self.command.val();
            }
            self.running.next =
                self.running.val() + unsigned_cast_to_fit(self.counters[i].value.val());
            if self.counters[i].is_full.val().any() && !self.found.val().any() {
                self.found.next = true.into();
                self.first_full.next = i.into();
                self.history[i + 1].d.next = self.history[i].q.val();
            }
            self.lanes_out.next = self.lanes_out.val()
                | (unsigned_cast_to_fit(self.lanes[i].val() ^ self.history[i + 1].q.val())
                    << (i * self.lane_width.val()));
        }
        if self.has_wide.val() == 1 {
            self.wide.command.next = self.command.val();
            self.wide.step.next = true.into();
            self.running.next = self.running.val() ^ self.wide.value.val();
        }
        for i in 0..self.extra.len() {
            self.extra[i].command.next = !self.command.val();
            self.extra[i].step.next = self.found.val();
            self.running.next = self.running.val() - self.extra[i].value.val();
        }
        self.total.next = self.running.val();
    }
}

bench!(Bank, [command, select, lanes_in], [chosen, lanes_out, total, found, first_full]);

fn both_resets<B: Bench>(make: impl Fn() -> B) {
    for reset in [Reset::Synchronous, Reset::AsynchronousActiveLow] {
        compare_with(Judge::Icarus, make(), reset, 600, "");
    }
}

#[test]
fn counters_with_both_resets() {
    for width in [1, 2, 33, 64, 65, 200] {
        both_resets(|| Counter::new(width));
    }
}

#[test]
fn a_counter_without_bits() {
    let verilog = compare(Counter::new(0));
    assert!(verilog.modules[0].registers.is_empty());
    assert_eq!(verilog.storage_bits(), 0);
}

#[test]
fn banks() {
    for (count, width, wide) in
        [(1, 1, true), (2, 3, false), (5, 33, true), (4, 64, false), (3, 70, true)]
    {
        both_resets(|| Bank::new(count, width, wide));
    }
}

#[test]
fn equal_sub_blocks_share_a_module() {
    let verilog = compare(Bank::new(4, 3, true));
    let names: Vec<&str> = verilog.modules.iter().map(|module| module.name.as_str()).collect();
    assert_eq!(names, ["dut_top_counter_width3", "dut_top_counter_width7", "dut_top"]);
    let top = verilog.module("dut_top").expect("the top");
    assert_eq!(top.instances.len(), 6);
    assert_eq!(top.instances[4].name, "wide");
    assert_eq!(verilog.storage_bits(), 4 * 3 + 2 * 7 + 5 * 3);
}

#[test]
fn a_parameter_folds_branches_away() {
    let text = compare(Bank::new(2, 3, false))
        .modules
        .into_iter()
        .map(|module| module.text)
        .collect::<String>();
    assert!(!text.contains("wide_value"), "the absent sub-block leaves no trace:\n{text}");
}

#[test]
fn the_same_text_every_time() {
    let options =
        Options { header: vec!["made by a test".into(), String::new()], ..Options::new("top") };
    let first = elaborate(&Bank::new(5, 9, true), &options).expect("a sound design");
    let second = elaborate(&Bank::new(5, 9, true), &options).expect("a sound design");
    assert_eq!(first, second);
    assert!(first.modules.iter().all(|module| module.text.starts_with(
        "// made by a test
//
// "
    )));
}
