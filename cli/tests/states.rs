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

/// What each state takes is all that the trace takes, and a state that is alone takes what a trace of it takes.
#[test]
fn bits_by_state() {
    let folder = Folder::with_run();
    let (text, _) = with_states(&folder.succeed("trace dump run.pet.zst"));
    folder.write("run.txt", text.as_bytes());
    let one_state = format!("{}state context=0x5 privilege=1\n", head(&text))
        + &folder.succeed("trace dump run.pet.zst").lines().skip(1).collect::<Vec<_>>().join("\n")
        + "\n";
    folder.write("one.txt", one_state.as_bytes());
    for settings in ["", SETTINGS] {
        let measure = format!("measure --design traptor-m4,talon-s {settings} --json");
        let whole = folder.json(&format!("{measure} run.txt one.txt"));
        for (by, least) in [("privilege", 3), ("context", 20)] {
            let parts = folder.json(&format!("{measure} run.txt --by {by}"));
            for (design, whole) in [("traptor-m4", &whole[0]), ("talon-s", &whole[2])] {
                let of_design = || {
                    let all = parts.as_array().expect("an array").iter();
                    all.filter(|part| part["design"] == design)
                };
                assert!(of_design().count() >= least, "{by}: {parts}");
                for figure in ["events", "instructions", "bits"] {
                    let sum: u64 = of_design().filter_map(|part| part[figure].as_u64()).sum();
                    assert_eq!(sum, whole[figure], "{design} by {by}: {figure}");
                }
            }
        }
        let alone = folder.json(&format!("{measure} one.txt --by context"));
        let whole = [&whole[1], &whole[3]];
        for (part, whole) in alone.as_array().expect("an array").iter().zip(whole) {
            assert_eq!((&part["state"], &part["bits"]), (&5.into(), &whole["bits"]));
            assert_eq!(part["bits_apart"], whole["bits"]);
        }
    }
    let table = folder.succeed("measure --design talon-s run.txt --by privilege");
    assert!(table.lines().last().is_some_and(|line| line.contains(" all ")), "{table}");
    let done = folder.run("measure --design talon-s run.pet.zst --by context");
    assert_eq!(done.status, 1);
    assert!(done.stderr.contains("run.pet.zst has no privilege levels"), "{}", done.stderr);
}

/// The first line of a trace in text.
fn head(text: &str) -> String {
    format!("{}\n", text.lines().next().unwrap_or_default())
}
