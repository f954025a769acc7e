//! An independent measurement's figures, made by other programs on the traces that `workloads/` has whole.

use tracewright_comparators::Comparator;

use crate::common::{encode, instructions, is_measured, workload};

const TRACES: [&str; 5] =
    ["arm-adpcm_c", "arm-stringsearch", "arm-tiff2bw", "rv64-djpeg", "rv64-stringsearch"];

/// Bits per instruction as they are printed, in the order of the traces.
const FIGURES: [(&str, &str); 3] = [
    ("gzip", "0.0007 0.0461 0.0031 0.0110 0.0569"),
    ("xz", "0.0003 0.0092 0.0009 0.0073 0.0087"),
    ("zstd", "0.0003 0.0071 0.0009 0.0071 0.0078"),
];

#[test]
fn bits_per_instruction_agree_with_the_independent_measurement() {
    for (place, name) in TRACES.into_iter().enumerate().filter(|(_, name)| is_measured(name)) {
        let execution = workload(name, usize::MAX);
        for (comparator, figures) in FIGURES {
            let (_, account) = encode(Comparator::named(comparator).unwrap(), &execution).unwrap();
            let measured = account.bits as f64 / instructions(&execution) as f64;
            let printed = figures.split(' ').nth(place).unwrap();
            let figure: f64 = printed.parse().unwrap();
            // Half a unit of the last printed decimal, and half a percent; zstd was another version, 1.5.4.
            let share = if comparator == "zstd" { 0.015 } else { 0.005 };
            let tolerance = 0.000_05 + share * figure;
            assert!(
                (measured - figure).abs() <= tolerance,
                "{comparator} on {name}: {measured:.5}, not {printed}"
            );
        }
    }
}

/// The independent model is another one: ours may be better, and at most 15 % worse.
#[test]
fn the_limit_is_near_the_independent_one() {
    let figures = [0.000_07, 0.003_02, 0.000_89, 0.003_23, 0.003_27];
    for (name, figure) in TRACES.into_iter().zip(figures).filter(|(name, _)| is_measured(name)) {
        let execution = workload(name, usize::MAX);
        let (_, account) = encode(Comparator::named("limit").unwrap(), &execution).unwrap();
        let measured = account.bits as f64 / instructions(&execution) as f64;
        assert!(measured <= 1.15 * figure, "{name}: {measured:.5}, not {figure}");
        assert!(measured > figure / 5.0, "{name}: {measured:.5}, not {figure}");
    }
}
