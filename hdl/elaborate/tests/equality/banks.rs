//! Registers, loops, vectors, sub-blocks, parameters and both resets.

use crate::bench;
use crate::harness::{Bench, Judge, compare, compare_with};
use tracewright_elaborate::prelude::*;
use tracewright_elaborate::{Options, Reset, elaborate};

/// A saturating counter that clears, holds or counts by a step.
#[derive(LogicBlock)]
struct Counter {
    kind: Kind,
    pub domain: Domain,
    pub command: Wire<In>,
    pub step: Wire<In>,
    pub value: Wire<Out>,
    pub is_full: Wire<Out>,
    count: Reg,
    full: Param,
    _width: usize,
}

impl Counter {
    fn new(width: usize) -> Self {
        Self {
            kind: Kind::new("counter", [("width", width)]),
            domain: Domain::new(),
            command: Wire::new(2),
            step: Wire::new(1),
            value: Wire::new(width),
            is_full: Wire::new(1),
            count: Reg::new(width, 0).describe("stays at its maximum"),
            full: Param::new(!Word::zero(width)),
            _width: width,
        }
    }
}

impl Logic for Counter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, domain, count);
        self.is_full.next = (self.count.q.val() == self.full.val()).into();
        self.value.next = self.count.q.val();
        match self.command.val().index() {
            0 => {}
            1 => self.count.d.next = 0.into(),
            3 => {
                if !self.is_full.val().any() {
                    self.count.d.next = self.count.q.val() + bits_to(self.step.val(), self._width);
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

/// Counters of two widths, some of them optional, and a priority choice among them.
#[derive(LogicBlock)]
struct Bank {
    kind: Kind,
    pub domain: Domain,
    pub command: Wire<In>,
    pub select: Wire<In>,
    pub lanes_in: Wire<In>,
    pub chosen: Wire<Out>,
    pub lanes_out: Wire<Out>,
    pub total: Wire<Out>,
    pub found: Wire<Out>,
    pub first_full: Wire<Out>,
    counters: Vec<Counter>,
    wide: Opt<Counter>,
    extra: Vec<Counter>,
    lanes: Vec<Wire<Local>>,
    history: Vec<Reg>,
    running: Wire<Local>,
    has_wide: Param,
    lane_width: Param,
    _total_width: usize,
}

impl Bank {
    fn new(count: usize, width: usize, wide: bool) -> Self {
        Self {
            kind: Kind::new("bank", [("count", count), ("width", width), ("wide", wide.into())]),
            domain: Domain::new(),
            command: Wire::new(2),
            select: Wire::new(address_width(count)),
            lanes_in: Wire::new(count * width),
            chosen: Wire::new(width),
            lanes_out: Wire::new(count * width),
            total: Wire::new(width + 4),
            found: Wire::new(1),
            first_full: Wire::new(address_width(count)),
            counters: (0..count).map(|_| Counter::new(width)).collect(),
            wide: Opt::new(wide, Counter::new(width + 4)),
            extra: (0..usize::from(wide)).map(|_| Counter::new(width + 4)).collect(),
            lanes: (0..count).map(|_| Wire::new(width)).collect(),
            history: (0..count + 1).map(|index| Reg::new(width, index % 2)).collect(),
            running: Wire::new(width + 4),
            has_wide: Param::new(wide),
            lane_width: Param::new(width),
            _total_width: width + 4,
        }
    }
}

impl Logic for Bank {
    #[hdl_gen]
    fn update(&mut self) {
        self.chosen.next = 0.into();
        self.running.next = 0.into();
        self.lanes_out.next = 0.into();
        self.found.next = false.into();
        self.first_full.next = 0.into();
        dff_setup!(self, domain, history[0]);
        for i in 0..self.counters.len() {
            self.lanes[i].next =
                unsigned_cast_to_fit(self.lanes_in.val() >> (i * self.lane_width.val()));
            self.counters[i].domain.next = self.domain.val();
            self.counters[i].command.next = 0.into();
            self.counters[i].step.next = self.lanes[i].val().get_bit(0).into();
            if self.select.val() == i {
                self.chosen.next = self.counters[i].value.val();
                self.counters[i].command.next = self.command.val();
            }
            self.running.next =
                self.running.val() + unsigned_cast_to_fit(self.counters[i].value.val());
            dff_setup!(self, domain, history[i + 1]);
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
            self.wide.domain.next = self.domain.val();
            self.wide.command.next = self.command.val();
            self.wide.step.next = true.into();
            self.running.next = self.running.val() ^ self.wide.value.val();
        }
        for i in 0..self.extra.len() {
            self.extra[i].domain.next = self.domain.val();
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
