//! The Snakemake workflow on two processor cores, with a job that is killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::common::{Folder, done, is_long, with_tools};

/// Enough designs that a shard is measured in several passes.
const SEARCH: &str = "\
preset = \"traptor-s2\"
strategy = \"random\"
[space]
gshare_entries = { from = 64, to = 1024, times = 2 }
pc_shift = { from = 1, to = 5, step = 1 }
indirect_branch_target_buffer_entries = { from = 4, to = 64, times = 2 }
indirect_branch_target_buffer_tag_bits = { from = 2, to = 9, step = 1 }
[objectives]
minimize = [\"bits_per_instruction\"]
[budget]
configurations = 300
";

/// A name that a shell would take apart, and run.
const TRACE: &str = "an arm$(touch ran).pet.zst";

fn workflow() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../workflow")
}

fn folder() -> Folder {
    let folder = Folder::new();
    fs::create_dir(folder.path("workloads")).expect("a folder");
    folder.take_head("arm-stringsearch", 120_000, TRACE);
    folder.take_head("arm-stringsearch", 500, "workloads/short.pet.zst");
    folder.write("search.toml", SEARCH);
    let command = env!("CARGO_BIN_EXE_tracewright");
    // One preset as it is and in other forms, or all of them.
    let few = if is_long() { "" } else { " --run traptor-m4" };
    let config = format!(
        "tracewright: {command}\ntraces: [\"{TRACE}\"]\nexploration: {{search: search.toml, shards: 2}}\n\
         regression: {{shards: 2, arguments: --quick --synthetic 0 --random 0{few}}}\n"
    );
    folder.write("config.yaml", config);
    folder
}

/// Snakemake with a cache of its own in the folder; the command keeps the user's, which has the models of other tests.
fn snakemake(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new("snakemake");
    command.env("PATH", with_tools());
    command.arg("--snakefile").arg(workflow().join("Snakefile"));
    command.arg("--profile").arg(workflow().join("profiles/local"));
    command.args(["--configfile", "config.yaml"]).args(arguments);
    let of_user = ["TRACEWRIGHT_CACHE", "XDG_CACHE_HOME", "HOME"].map(std::env::var_os);
    let cache = match of_user {
        [Some(cache), ..] => PathBuf::from(cache),
        [None, Some(caches), _] => Path::new(&caches).join("tracewright"),
        [.., home] => Path::new(&home.expect("HOME")).join(".cache/tracewright"),
    };
    command.env("TRACEWRIGHT_CACHE", cache);
    command.env("XDG_CACHE_HOME", folder.path("snakemake-cache")).current_dir(folder.path("."));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Kills the process that does a shard of the exploration, once it has kept some measurements.
fn kill_shard(folder: &Folder, workflow: &mut Child, shard: &str) {
    let log = folder.path(format!("exploration/{}/measured.jsonl", shard.replace('/', "-of-")));
    let begin = Instant::now();
    while fs::metadata(&log).map_or(0, |log| log.len()) < 1000 {
        assert_eq!(workflow.try_wait().expect("a child"), None, "the workflow ended");
        assert!(begin.elapsed() < Duration::from_secs(60), "no measurements");
        thread::sleep(Duration::from_millis(2));
    }
    let own = fs::canonicalize(folder.path(".")).expect("the folder");
    for process in fs::read_dir("/proc").expect("processes") {
        let process = process.expect("a process").path();
        let words = fs::read(process.join("cmdline")).unwrap_or_default();
        let words: Vec<&[u8]> = words.split(|byte| *byte == 0).collect();
        let is_own = fs::read_link(process.join("cwd")).is_ok_and(|folder| folder == own);
        let number = process.file_name().and_then(|name| name.to_str()?.parse().ok());
        if is_own
            && words.first() == Some(&env!("CARGO_BIN_EXE_tracewright").as_bytes())
            && words.contains(&shard.as_bytes())
            && let Some(process) = number.and_then(Pid::from_raw)
        {
            kill_process(process, Signal::KILL).expect("SIGKILL");
            return;
        }
    }
    panic!("no process does shard {shard}");
}

#[test]
fn a_killed_job_is_resumed() {
    let folder = folder();
    let only = ["--retries", "0", "exploration/1-of-2/exploration.json"];
    let mut killed = snakemake(&folder, &only).spawn().expect("snakemake of scripts/setup");
    kill_shard(&folder, &mut killed, "1/2");
    assert_ne!(done(killed.wait_with_output().expect("an end")).status, 0);
    assert!(!folder.path("exploration/1-of-2/exploration.json").exists());

    let whole = done(snakemake(&folder, &[]).output().expect("snakemake"));
    assert_eq!(whole.status, 0, "{}", whole.stderr);
    let log: Value =
        serde_json::from_str(&folder.text("logs/explore-1-of-2.json")).expect("a result");
    assert!(log["known"].as_u64() >= Some(64) && log["measured"].as_u64() > Some(0), "{log}");

    // The results are those of the commands alone.
    let alone = folder.run_words(&["explore", "search.toml", TRACE, "--output", "alone"]);
    assert_eq!(alone.status, 0, "{}", alone.stderr);
    assert_eq!(folder.text("results/all.csv"), folder.text("alone/all.csv"));
    let gates: Value = serde_json::from_str(&folder.text("results/gates.json")).expect("gates");
    let front = folder.text("results/front.csv").lines().count() - 1;
    assert_eq!(gates.as_array().expect("designs").len(), front);
    let json = |name: &str| -> Value { serde_json::from_str(&folder.text(name)).expect("JSON") };
    let runs = |shard: &str| {
        json(&format!("regression/{shard}/regression.json"))["outcomes"].as_array().map(Vec::len)
    };
    let summary = json("regression/summary.json");
    let summed = summary.as_array().expect("groups").iter().filter_map(|one| one["runs"].as_u64());
    let (one, other) = (runs("1-of-2").expect("runs"), runs("2-of-2").expect("runs"));
    assert!(one > 0 && other > 0 && summed.sum::<u64>() == (one + other) as u64, "{summary}");

    assert!(!folder.path("ran").exists());
    // Nothing is left to do.
    let again = done(snakemake(&folder, &["--dry-run"]).output().expect("snakemake"));
    assert!(
        again.stderr.contains("Nothing to be done") || again.stdout.contains("Nothing to be done"),
        "{}",
        again.stderr
    );
}

#[test]
fn a_failed_job_says_why() {
    let folder = folder();
    folder.write("search.toml", "preset = \"no-preset\"\n");
    let only = ["--retries", "0", "exploration/1-of-2/exploration.json"];
    let failed = done(snakemake(&folder, &only).output().expect("snakemake"));
    assert_ne!(failed.status, 0);
    let log = folder.text("logs/explore-1-of-2.txt");
    assert!(log.starts_with("error: search.toml, line 1: "), "{log}");
}
