//! How fast traces are read, written and made up: events a second on one core.
//!
//! `cargo bench -p tracewright-sim --bench trace_io`

#![expect(missing_docs, reason = "criterion_group! makes a function without a description")]

use std::hint::black_box;
use std::io::Cursor;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tracewright_sim::event::{Event, Machine};
use tracewright_sim::synthetic::{Options, Synthetic};
use tracewright_sim::trace_io::{Format, Reader, Writer, WriterOptions, open};

fn workload(name: &str) -> (Machine, Vec<Event>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../workloads").join(name);
    let reader = open(path).expect("the workload is there");
    (reader.machine(), reader.collect::<Result<_, _>>().expect("the workload is sound"))
}

fn written(machine: Machine, events: &[Event], format: Format) -> Vec<u8> {
    let options = WriterOptions { format, ..WriterOptions::default() };
    let mut writer = Writer::new(Vec::new(), machine, options).expect("a legal machine");
    events.iter().for_each(|event| writer.write(event).expect("a valid event"));
    writer.finish().expect("memory takes all")
}

fn read(bytes: Vec<u8>) -> u64 {
    let mut reader = Reader::new(Cursor::new(bytes)).expect("a header");
    let mut targets = 0;
    while let Some(event) = reader.next_event().expect("a sound trace") {
        targets ^= event.target;
    }
    targets
}

fn trace_io(criterion: &mut Criterion) {
    let traces = [
        ("djpeg", workload("rv64-djpeg.pet.zst")),
        ("stringsearch", workload("arm-stringsearch.pet.zst")),
    ];
    for (name, (machine, events)) in &traces {
        let mut group = criterion.benchmark_group(*name);
        group.throughput(Throughput::Elements(events.len() as u64)).sample_size(20);
        for (form, format) in
            [("pet1", Format::Pet1), ("zstd", Format::Pet1Zstd), ("text", Format::Text)]
        {
            let bytes = written(*machine, events, format);
            group.bench_function(format!("read {form}"), |bencher| {
                bencher.iter_with_setup(|| bytes.clone(), |bytes| black_box(read(bytes)));
            });
            group.bench_function(format!("write {form}"), |bencher| {
                bencher.iter(|| black_box(written(*machine, events, format)));
            });
        }
        group.finish();
    }
}

fn synthetic(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("synthetic");
    group.throughput(Throughput::Elements(1_000_000)).sample_size(20);
    for seed in [1, 5, 18] {
        let options = Options { events: 1_000_000, ..Options::from_seed(seed) };
        group.bench_function(format!("seed {seed}"), |bencher| {
            bencher.iter(|| {
                let synthetic = Synthetic::new(options.clone()).expect("legal options");
                black_box(synthetic.fold(0, |targets, event| targets ^ event.target))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, trace_io, synthetic);
criterion_main!(benches);
