//! Contexts, privilege levels and causes of exceptions through files.

use crate::common::Folder;

const SETTINGS: &str = "--set framing=packets --set sync_interval=1024 --set checksum_bits=8 --set context_bits=9 \
                        --set privilege_bits=2 --set cause_bits=4";

/// A run with states, as text, and how many they are.
fn with_states(run: &str) -> (String, u64) {
    let (mut text, mut jumps, mut states) = (String::new(), 0, 0);
    for line in run.lines() {
        text += line;
        if line.starts_with("machine") {
            text += " states";
        }
        text += "\n";
        let (is_jump, is_exception) = (line.contains(" taken "), line.contains(" exception "));
        jumps += u64::from(is_jump);
        if is_jump && (is_exception || jumps % 20 == 0) {
            let cause = if is_exception { " cause=0xb" } else { "" };
            text += &format!("state context={:#x} privilege={}{cause}\n", jumps % 512, jumps % 3);
            states += 1;
        }
    }
    (text, states)
}

#[test]
fn states_come_back() {
    let folder = Folder::with_run();
    let (text, states) = with_states(&folder.succeed("trace dump run.pet.zst"));
    assert!(states > 20, "{states} states");
    folder.write("run.txt", text.as_bytes());
    let info = folder.json("trace info run.txt run.pet.zst --json");
    assert_eq!((&info[0]["has_states"], &info[1]["has_states"]), (&true.into(), &false.into()));
    for design in ["traptor-m4", "talon-s"] {
        folder.succeed(&format!("encode {design} run.txt -o run.bits {SETTINGS}"));
        let done = folder.json("decode run.bits --program run.pet.zst -o back.pet.zst --json");
        assert_eq!((&done["verified"], &done["states"]), (&true.into(), &states.into()));
        assert_eq!(folder.succeed("trace dump back.pet.zst"), text, "{design}");
    }
    // A design without states takes the same trace.
    folder.succeed("encode traptor-m4 run.txt -o run.bits");
    let back = folder.succeed("decode run.bits --program run.txt -o -");
    assert_eq!(back, folder.succeed("trace dump run.pet.zst"));
    let done =
        folder.json("cosim traptor-m4 run.txt --set framing=packets --set context_bits=9 --json");
    assert_eq!(done[0]["mismatches"], 0, "{done}");
}

#[test]
fn a_state_that_does_not_fit_is_an_error() {
    let folder = Folder::with_run();
    let (text, _) = with_states(&folder.succeed("trace dump run.pet.zst"));
    folder.write("run.txt", text.as_bytes());
    let settings = SETTINGS.replace("context_bits=9", "context_bits=4");
    let done = folder.run(&format!("encode traptor-m4 run.txt -o never.bits {settings}"));
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains("does not fit context_bits = 4"), "{}", done.stderr);
    assert!(!folder.names().contains(&"never.bits".to_owned()));
}
