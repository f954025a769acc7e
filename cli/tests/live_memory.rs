//! The whole memory of a RAM sink after a live core, decoded from files alone.

use serde_json::Value;

use crate::common::{Folder, is_long};
use crate::live::program;

/// A trace that has not wrapped decodes to its first instruction, with the code that the core begins in beside the
/// program: by every scheme and both ports, from a file that says what stands around the design.
#[test]
fn a_whole_memory_of_a_crashing_program_is_decoded() {
    let folder = Folder::new();
    let crashes = program("minimal-crashes");
    let all = [("talon-s", "tip"), ("traptor-m4", "rvfi"), ("etrace-base", "tip")];
    for (design, port) in all.into_iter().take(if is_long() { 3 } else { 2 }) {
        let sections = "[control]\nbus = \"axi-lite\"\n[ram_sink]\nbytes = 32768\n";
        folder.write(
            "a unit.toml",
            format!(
                "preset = \"{design}\"\nname = \"box\"\nframing = \"packets\"\n[ingress]\nport = \"{port}\"\n{sections}"
            ),
        );
        folder.run_words(&["generate", "a unit.toml", "-o", "out"]);
        let live =
            ["live", "a unit.toml", &crashes, "--core", "minimal", "--ingress", port, "--json"];
        let files = ["-o", "memory.bin", "--boot-code", "boot.bin"];
        let done = folder.run_words(&[&live[..], &files[..]].concat());
        assert_eq!(done.status, 0, "{}", done.stderr);
        let lived: Value = serde_json::from_str(&done.stdout).expect("JSON");
        let bytes = folder.read("memory.bin").len();
        let decode = format!(
            "decode --design out/box memory.bin --ram-sink {bytes} --program {crashes} -o back.pet --json"
        );
        let decoded = folder.json(&format!("{decode} --image boot.bin@0xff80"));
        assert_eq!(decoded["instructions"], lived[0]["decoded_instructions"], "{design}");
        assert_eq!(decoded["gaps"], serde_json::json!([]), "{design}");
        // Without it all up to the next packet is lost, and the message says where code is missing.
        let done = folder.run(&decode);
        assert!([1, 3].contains(&done.status), "{}", done.stderr);
        assert!(done.stderr.contains("--image") || done.status == 3, "{}", done.stderr);
        let view =
            format!("view --design out/box memory.bin --ram-sink {bytes} --program {crashes}");
        let listed = folder.succeed(&format!("{view} --image boot.bin@0xff80 --listing -"));
        assert!(listed.contains("ff80") && listed.contains("lui"), "{listed}");
    }
}
