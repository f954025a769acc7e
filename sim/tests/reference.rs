//! An independent measurement's figures: another program, in another language, under the same
//! reading of the papers, on the traces that `workloads/` has whole.

use tracewright_sim::field::Account;
use tracewright_sim::golden_encoder::GoldenEncoder;
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::trace_io;

use crate::common::is_measured;

/// The designs whose figures there are.
const DESIGNS: [&str; 12] = [
    "traptor-s1",
    "traptor-m4",
    "traptor-b4",
    "stream-base-32",
    "stream-base-64",
    "stream-base-128",
    "stream-base-256",
    "stream-base-512",
    "stream-base-1024",
    "stream-ebase-128",
    "stream-rbase-128",
    "nexs",
];

/// Bits per instruction as they are printed, in the order of the designs.
const FIGURES: [(&str, &str); 5] = [
    (
        "arm-adpcm_c",
        "0.0006 0.0006 0.0006 0.022 0.023 0.0226 0.023 0.023 0.023 0.0014 0.0014 0.176",
    ),
    (
        "arm-stringsearch",
        "0.1975 0.0907 0.0739 1.175 0.791 0.4798 0.298 0.304 0.319 0.4104 0.4158 1.642",
    ),
    (
        "arm-tiff2bw",
        "0.0177 0.0044 0.0046 0.138 0.111 0.1014 0.102 0.102 0.103 0.0121 0.0121 0.802",
    ),
    ("rv64-djpeg", "0.0292 0.0190 0.0174 0.112 0.094 0.0739 0.070 0.072 0.075 0.0538 0.0540 0.322"),
    (
        "rv64-stringsearch",
        "0.2094 0.1153 0.0964 1.347 1.074 0.4939 0.366 0.347 0.364 0.4614 0.4643 1.618",
    ),
];

#[test]
fn bits_per_instruction_agree_with_the_independent_measurement() {
    for (name, figures) in FIGURES.into_iter().filter(|(name, _)| is_measured(name)) {
        let path = format!("{}/../workloads/{name}.pet.zst", env!("CARGO_MANIFEST_DIR"));
        let path = std::path::Path::new(&path);
        let mut reader = trace_io::open(path).unwrap();
        let machine = reader.machine();
        let mut builder = ProgramBuilder::new(machine);
        while let Some(event) = reader.next_event().unwrap() {
            builder.event(&event).unwrap();
        }
        let program = builder.finish().unwrap();
        let designs =
            DESIGNS.map(|preset| Design::preset(preset).unwrap().for_machine(machine).unwrap());
        let mut encoders =
            designs.each_ref().map(|design| (Encoder::new(design).unwrap(), Account::default()));
        let mut instructions = 0;
        let mut reader = trace_io::open(path).unwrap();
        while let Some(mut event) = reader.next_event().unwrap() {
            if event.call {
                event.length = program.call_length(event.program_counter).unwrap();
            }
            instructions += event.instructions;
            for (encoder, account) in &mut encoders {
                encoder.event(&event, account).unwrap();
            }
        }
        let figures: Vec<&str> = figures.split(' ').collect();
        assert_eq!(figures.len(), designs.len());
        for (index, (encoder, account)) in encoders.iter_mut().enumerate() {
            encoder.flush(account);
            let measured = account.bits as f64 / instructions as f64;
            let (design, printed) = (&designs[index].name, figures[index]);
            let figure: f64 = printed.parse().unwrap();
            // Half a unit of the last printed decimal, and half a percent.
            let decimals = printed.len() - "0.".len();
            let tolerance = 0.5 * 0.1f64.powi(decimals as i32) + 0.005 * figure;
            println!("{design} {name} {measured:.5} {printed}");
            assert!(
                (measured - figure).abs() <= tolerance,
                "{design} on {name}: {measured:.5}, not {printed}"
            );
        }
    }
}
