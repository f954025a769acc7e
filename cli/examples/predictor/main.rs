//! The command `tracewright` with a predictor of one's own: `compare`, `measure` and `report` know it by its name.

mod local_history;

use std::process::ExitCode;

fn main() -> ExitCode {
    tracewright::main_with(vec![local_history::model()])
}
