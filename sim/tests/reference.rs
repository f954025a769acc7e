//! An independent measurement's figures: another program, in another language, under the same
//! reading of the papers, on the traces that `workloads/` has whole.

use tracewright_sim::field::Account;
use tracewright_sim::program::ProgramBuilder;
use tracewright_sim::scheme::{Design, Encoder};
use tracewright_sim::trace_io;

/// The designs whose figures there are.
const DESIGNS: [&str; 4] = ["traptor-s1", "traptor-m4", "traptor-b4", "nexs"];

/// Bits per instruction, as printed with three or four decimals.
const FIGURES: [(&str, [f64; DESIGNS.len()]); 5] = [
    ("arm-adpcm_c", [0.0006, 0.0006, 0.0006, 0.176]),
    ("arm-stringsearch", [0.1975, 0.0907, 0.0739, 1.642]),
    ("arm-tiff2bw", [0.0177, 0.0044, 0.0046, 0.802]),
    ("rv64-djpeg", [0.0292, 0.0190, 0.0174, 0.322]),
    ("rv64-stringsearch", [0.2094, 0.1153, 0.0964, 1.618]),
];

#[test]
fn bits_per_instruction_agree_with_the_independent_measurement() {
    for (name, figures) in FIGURES {
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
        for (index, (encoder, account)) in encoders.iter_mut().enumerate() {
            encoder.flush(account);
            let measured = account.bits as f64 / instructions as f64;
            let (design, figure) = (&designs[index].name, figures[index]);
            // Half a unit of the last printed decimal, and half a percent.
            let tolerance = 0.00005 + 0.005 * figure;
            println!("{design} {name} {measured:.5} {figure:.4}");
            assert!(
                (measured - figure).abs() <= tolerance,
                "{design} on {name}: {measured:.5}, not {figure:.4}"
            );
        }
    }
}
