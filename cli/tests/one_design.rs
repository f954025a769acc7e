//! A generated folder, its manifest, its design file and the file that it was made from are one design, whatever a file
//! states and whatever stands around it.

use std::fmt::Write;

use tracewright_sim::scheme::Design;

use crate::common::{Folder, is_long};

/// Sections of a design file, each of which sets parameters where nothing is stated.
const SECTIONS: [&str; 7] = [
    "",
    "[ingress]\nport = \"rvfi\"\n",
    "[ingress]\nport = \"tip\"\nlanes = 2\nretirement = \"block\"\n",
    "[sink]\nport = \"axi-stream\"\n",
    "[control]\nbus = \"apb\"\n",
    "[control]\nbus = \"apb\"\n\n[ram_sink]\nbytes = 16384\n",
    "[control]\nbus = \"axi-lite\"\n\n[ram_sink]\nbytes = 16384\n\n[reader]\nport = \"uart\"\n",
];

/// The lines that state each parameter of a scheme at its default; first none.
fn lines(preset: &str) -> Vec<String> {
    let design = Design::preset(preset).expect("a preset");
    let default = Design::of_scheme("default", design.scheme.name()).expect("a scheme");
    let line = |(name, value): (&str, tracewright_sim::parameter::Value)| match value {
        tracewright_sim::parameter::Value::Word(word) => format!("{name} = \"{word}\"\n"),
        other => format!("{name} = {other}\n"),
    };
    [String::new()].into_iter().chain(default.values().into_iter().map(line)).collect()
}

/// The fingerprint of each design.
fn fingerprints(folder: &Folder, designs: &[String]) -> Vec<String> {
    let shown = folder.json(&format!("designs {} --json", designs.join(" ")));
    let shown = shown.as_array().expect("designs");
    shown.iter().map(|one| one["fingerprint"].as_str().expect("a fingerprint").into()).collect()
}

/// The pairs of a preset: how many there are, and those that differ. Without `LONG_TESTS` it is one in 29, and half of
/// those with a word that registers set, the other half with the next preset.
fn pairs(preset: &str, turn: usize) -> (usize, String) {
    let folder = Folder::new();
    let (mut compared, mut differing) = (0, String::new());
    let lines = lines(preset);
    let all = SECTIONS.iter().enumerate().flat_map(|(place, section)| {
        lines.iter().enumerate().map(move |(row, line)| (place + row, section, line))
    });
    for (number, (diagonal, section, line)) in all.enumerate() {
        let name = format!("pair{number}");
        let is_set = line.is_empty()
            || ["exact_lengths", "sync_bytes", "resync_max", "enable_pin", "framing", "loss_pins"]
                .iter()
                .any(|set| line.starts_with(set));
        let is_taken = is_long()
            || (number + turn).is_multiple_of(29)
            || is_set && (diagonal + turn).is_multiple_of(2);
        if !is_taken {
            continue;
        }
        folder.write(&format!("{name}.toml"), format!("preset = \"{preset}\"\n{line}\n{section}"));
        // A default may be none that the preset or the section can have.
        if folder.run(&format!("generate {name}.toml -o made")).status != 0 {
            continue;
        }
        let made = format!("made/{name}");
        let designs = [
            format!("{name}.toml"),
            made.clone(),
            format!("{made}/manifest.json"),
            format!("{made}/{name}.toml"),
        ];
        let found = fingerprints(&folder, &designs);
        compared += 1;
        if found.iter().any(|one| *one != found[0]) {
            let _ = writeln!(differing, "{preset}, {}, {section:?}: {found:?}", line.trim());
        }
    }
    (compared, differing)
}

#[test]
fn folder_and_file_are_one_design_for_every_default_and_section() {
    let presets = ["ntrace-htm", "etrace-base", "traptor-m4", "talon-s"];
    let found: Vec<(usize, String)> = std::thread::scope(|scope| {
        let threads: Vec<_> = presets
            .iter()
            .enumerate()
            .map(|(turn, preset)| scope.spawn(move || pairs(preset, turn)))
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("pairs")).collect()
    });
    let differing: String = found.iter().map(|(_, differing)| differing.as_str()).collect();
    assert!(differing.is_empty(), "{differing}");
    for ((compared, _), preset) in found.iter().zip(presets) {
        assert!(*compared >= 20, "{preset}: only {compared} pairs could be generated");
    }
}
