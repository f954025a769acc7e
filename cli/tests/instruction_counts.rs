//! How many instructions commands execute for an event, from file to file, as valgrind's callgrind counts them. Unlike a
//! time, that is the same on every day and under any load.

use std::process::Command;

use crate::common::{Folder, workload};

/// Commands on a trace, and the most instructions for each of its events, a few percent above what it was at last.
const COMMANDS: [(&str, f64); 5] = [
    ("encode traptor-m4 TRACE --set address_width=64 -o run.bits", 381.0),
    ("encode talon-m TRACE --set address_width=64 -o talon.bits", 575.0),
    ("trace verify TRACE", 90.0),
    ("measure --design traptor-m4 TRACE", 436.0),
    ("decode run.bits --program TRACE -o back.pet.zst", 650.0),
];

#[test]
fn no_command_executes_more_instructions_than_before() {
    let folder = Folder::new();
    let trace = workload("rv64-stringsearch");
    let info = folder.json(&format!("trace info {trace} --json"));
    let events = info[0]["events"].as_f64().expect("a number");
    for (command, most) in COMMANDS {
        let words: Vec<&str> = command
            .split(' ')
            .map(|word| if word == "TRACE" { trace.as_str() } else { word })
            .collect();
        let done = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=counts"])
            .arg(env!("CARGO_BIN_EXE_tracewright"))
            .args(words)
            .current_dir(folder.path("."))
            .output()
            .expect("valgrind starts");
        assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
        let counts = folder.text("counts");
        let total = counts.lines().find_map(|line| line.strip_prefix("totals: "));
        let found = total.expect("a total").trim().parse::<f64>().expect("a number") / events;
        println!("{found:.0} instructions for each event: {command}");
        assert!(found <= most, "{command}: {found:.0} instructions for each event, {most} before");
    }
}
