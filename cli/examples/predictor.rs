//! The command `tracewright` with a predictor of one's own: outcomes by what each branch did recently, targets by where
//! it went last.

use std::process::ExitCode;

use tracewright::predictor::{Branch, Model, Prediction, Predictor, Table, Tables};

struct LocalHistory {
    histories: Table,
    counters: Table,
    targets: Table,
}

impl LocalHistory {
    fn new([branches, outcomes]: [u64; 2], tables: &mut Tables) -> Self {
        Self {
            histories: tables.table("histories", branches, outcomes as u32, 0),
            counters: tables.table("counters", 1 << outcomes, 3, 4),
            targets: tables.table("targets", branches, 32, 0),
        }
    }
}

impl Predictor for LocalHistory {
    fn predict(&mut self, branch: &Branch) -> Prediction {
        let entry = branch.program_counter / 2;
        let counter = self.counters.get(self.histories.get(entry));
        let confidence = [7, 4, 2, 1, 1, 2, 4, 7][counter as usize];
        Prediction { taken: counter >= 4, target: self.targets.get(entry), confidence }
    }

    fn learn(&mut self, branch: &Branch, taken: bool, target: u64) {
        let entry = branch.program_counter / 2;
        if branch.kind.is_conditional() {
            let history = self.histories.get(entry);
            self.counters.count(history, taken);
            let newest = if taken { self.histories.most() / 2 + 1 } else { 0 };
            self.histories.set(entry, history / 2 + newest);
        }
        if branch.kind.is_indirect() && taken {
            self.targets.set(entry, target);
        }
    }
}

fn main() -> ExitCode {
    let parameters = [("branches", 256), ("outcomes", 8)];
    let model = Model::with_parameters("local-history", parameters, LocalHistory::new);
    tracewright::main_with(vec![model])
}
