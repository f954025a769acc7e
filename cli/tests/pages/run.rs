//! Runs what a page shows in an empty folder, with the installed command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::page::{Action, Step, When, agrees, steps};
use crate::common::{Folder, with_tools};
use crate::install::Installed;

/// The width of the terminal that the pages show.
const COLUMNS: &str = "100";

/// True where everything is run: `make docs-check`.
pub fn is_everything() -> bool {
    std::env::var_os("ALL_PAGES").is_some()
}

/// True if the commands of a page are to be run one by one: with ALL_PAGES=1 all, otherwise those of the page that it
/// names.
pub fn is_asked_for(page: &str) -> bool {
    std::env::var("ALL_PAGES").is_ok_and(|asked| asked == "1" || asked == page)
}

/// Runs the steps of a page of docs/ in their order, each of which has to succeed and print what the page shows.
pub fn run(name: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = fs::read_to_string(root.join("docs").join(name)).expect("a page");
    let (installed, folder) = (Installed::new(), Folder::new());
    let mut place = folder.path(".");
    let (mut run, mut left) = (0, 0);
    for step in steps(&page) {
        let is_run = match step.when {
            When::Always => true,
            When::Slow => is_everything(),
            When::Never(_) => false,
        };
        if !is_run {
            left += 1;
            continue;
        }
        let begin = Instant::now();
        if let Err(problem) = perform(&step, &installed, &folder, &mut place) {
            panic!("docs/{name}, {step}\n{problem}");
        }
        run += usize::from(!matches!(step.action, Action::File(..)));
        if is_everything() {
            println!("docs/{name}, {step}: {:.1} s", begin.elapsed().as_secs_f64());
        }
    }
    println!("docs/{name}: {run} commands run, {left} steps left out");
    assert!(run > 0, "docs/{name} has no commands");
}

/// Does what a step says. Commands go on in the folder `place` in which the one before ended, as in a reader's shell.
fn perform(
    step: &Step,
    installed: &Installed,
    folder: &Folder,
    place: &mut PathBuf,
) -> Result<(), String> {
    let (command, expected) = match &step.action {
        Action::File(name, text) => {
            let path = folder.path(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            folder.write(name, text);
            return Ok(());
        }
        Action::Script(command) => (command, None),
        Action::Shown(command, output) => (command, Some(output)),
    };
    let (succeeded, printed) = shell(command, installed, place);
    if !succeeded {
        return Err(format!("fails:\n{printed}"));
    }
    let lines: Vec<&str> = printed.lines().collect();
    match expected {
        Some(expected) if !agrees(expected, &lines) => {
            Err(format!("prints:\n{printed}\nand the page shows:\n{}", expected.join("\n")))
        }
        _ => Ok(()),
    }
}

/// Runs a command line in a folder, which becomes the one in which it ends; whether it succeeded, and what it printed
/// on both streams.
pub fn shell(command: &str, installed: &Installed, place: &mut PathBuf) -> (bool, String) {
    let tools = with_tools();
    let paths = std::iter::once(installed.prefix.join("bin")).chain(std::env::split_paths(&tools));
    let paths = std::env::join_paths(paths).expect("paths without colons");
    let end = tempfile::NamedTempFile::new().expect("a file");
    let script = format!("exec 2>&1\ntrap 'pwd > \"$PLACE\"' EXIT\n{command}");
    let output = Command::new("bash")
        .args(["-e", "-o", "pipefail", "-c", &script])
        .current_dir(&*place)
        .stdin(Stdio::null())
        .env("PATH", paths)
        .env("COLUMNS", COLUMNS)
        .env("PLACE", end.path())
        .env_remove("TRACEWRIGHT_PLUGIN")
        .output()
        .expect("bash");
    *place = fs::read_to_string(end.path()).expect("a folder").trim_end().into();
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}
