//! The pages of docs/ as their readers use them. The four pages that begin with `start_`, debug.md, firmware.md,
//! import.md, port_check.md and profile.md are run from their own text in empty folders; what they mark as slow, and the other pages' commands, only
//! with `ALL_PAGES` in the environment (`make docs-check`). docs/development.md says how a page marks what is run and what
//! varies.

mod commands;
mod formats;
mod links;
mod page;
mod run;

#[test]
fn debug() {
    run::run("debug.md");
}

#[test]
fn firmware() {
    run::run("firmware.md");
}

#[test]
fn start_core() {
    run::run("start_core.md");
}

#[test]
fn start_firmware() {
    run::run("start_firmware.md");
}

#[test]
fn start_predictor() {
    run::run("start_predictor.md");
}

#[test]
fn start_trace() {
    run::run("start_trace.md");
}

#[test]
fn import() {
    run::run("import.md");
}

#[test]
fn port_check() {
    run::run("port_check.md");
}

#[test]
fn profile() {
    run::run("profile.md");
}
