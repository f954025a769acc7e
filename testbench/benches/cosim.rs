//! Clocks a second: of a model alone, and of a co-simulation with stimulus and comparison.
#![allow(missing_docs, reason = "criterion's macros write functions without")]

#[path = "../tests/common/mod.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod common;

use common::{Toy, events, source};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tracewright_testbench::Model;
use tracewright_testbench::cosim::{Options, run};
use tracewright_testbench::stimulus::{Ready, Stimulus};

const CYCLES: u64 = 100_000;

fn model(criterion: &mut Criterion) {
    let library = Toy::default().library(false);
    let mut model = Model::new(&library, 1).expect("a model");
    model.reset(4).expect("reset");
    let valid = library.input("retire_valid", 1).expect("retire_valid");
    let ready = library.input("trace_ready", 1).expect("trace_ready");
    let kind = library.input("retire_kind", 3).expect("retire_kind");
    let counter = library.input("retire_pc", 32).expect("retire_pc");
    let data = library.output("trace_data", 1).expect("trace_data");
    model.set(ready, 1);
    model.set(kind, 2);
    let mut group = criterion.benchmark_group("cycles");
    group.throughput(Throughput::Elements(CYCLES));
    group.bench_function("model", |bencher| {
        bencher.iter(|| {
            let mut ones = 0;
            for cycle in 0..CYCLES {
                model.set(valid, u64::from(cycle % 16 == 0));
                model.set(counter, cycle * 4);
                model.cycle().expect("a clock");
                ones += model.get(data);
            }
            ones
        });
    });
    group.finish();
}

fn cosim(criterion: &mut Criterion) {
    let toy = Toy { port_width: 16, ..Toy::default() };
    let library = toy.library(false);
    let events = events(1, CYCLES as usize, 32);
    let mut group = criterion.benchmark_group("cosim");
    group.sample_size(20);
    for ready in [Ready::Always, Ready::Random] {
        let stimulus = Stimulus { ready, ..Stimulus::default() };
        let options = Options { stimulus, ..Options::default() };
        let simulate = || run(&library, toy.golden(), source(&events), &options).expect("a report");
        group.throughput(Throughput::Elements(simulate().cycles));
        group.bench_function(BenchmarkId::from_parameter(ready), |bencher| bencher.iter(simulate));
    }
    group.finish();
}

criterion_group!(benches, model, cosim);
criterion_main!(benches);
