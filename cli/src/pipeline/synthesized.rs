//! Designs of a search after synthesis: which of them no other one beats with its logic counted.

use std::collections::BTreeMap;

use anyhow::Result;
use tracewright_exploration::{Exploration, Objective, Row};
use tracewright_synthesis::{GateOptions, Gates};

use super::print::grouped;
use super::synthesis;
use super::table::{self, Table};

/// The gates of designs, by name.
#[derive(Debug, Default)]
pub struct Synthesized {
    /// GE with 1.5 for a bit of memory.
    pub total_ge: BTreeMap<String, f64>,
    /// GE with memories of flip-flops.
    pub flip_flop_implementation_ge: BTreeMap<String, f64>,
    /// The designs that no other one beats with `total_ge` in place of the estimate, in the order of the result.
    pub front: Vec<String>,
}

impl Synthesized {
    /// Counts the gates of the designs on the front, and of those that would be on it with a part of their estimate less.
    ///
    /// # Errors
    /// When Yosys is missing or fails on a design.
    pub fn of(found: &Exploration, margin: f64) -> Result<Synthesized> {
        let survivors = found.survivors(margin);
        let designs = survivors.into_iter().map(Row::design).collect::<Result<Vec<_>, _>>()?;
        let gates = synthesis::gates(&designs, GateOptions::default())?;
        let by_design = |figure: fn(&Gates) -> f64| -> BTreeMap<String, f64> {
            gates.iter().map(|gates| (gates.design.clone(), figure(gates))).collect()
        };
        let total_ge = by_design(|gates| gates.total_ge);
        let front = found.front_by(&total_ge).into_iter().map(str::to_owned).collect();
        let flip_flop_implementation_ge = by_design(|gates| gates.flip_flop_implementation_ge);
        Ok(Synthesized { total_ge, flip_flop_implementation_ge, front })
    }

    /// The designs in the order of the result, with what the search counts and what synthesis does.
    pub fn table(&self, found: &Exploration) -> String {
        if self.total_ge.is_empty() {
            return "\nNo design is on the front, and predictors without hardware have no synthesis.\n".into();
        }
        let main = found.main_objective();
        let header =
            ["design", main.title(), "estimated", "GE", "GE as flip-flops", "on the front"];
        let mut table = Table::new(&header, 1).word(5);
        let whole = |gates: &BTreeMap<String, f64>, design: &str| {
            gates.get(design).map_or("-".into(), |gates| grouped(gates.round() as u64))
        };
        let is_counted = |row: &&Row| self.total_ge.contains_key(&row.design);
        for row in found.configurations.iter().filter(is_counted) {
            let by_synthesis = self.front.contains(&row.design);
            let on_front = match (row.is_on_front, by_synthesis) {
                (true, true) => "yes",
                (false, true) => "by synthesis only",
                (true, false) => "by the estimate only",
                (false, false) => "no",
            };
            table.add_row([
                row.design.clone(),
                format!("{:.4}", row.score(main)),
                grouped(row.gates.into()),
                whole(&self.total_ge, &row.design),
                whole(&self.flip_flop_implementation_ge, &row.design),
                on_front.to_owned(),
            ]);
        }
        let about = match found.objectives.contains(&Objective::Gates) {
            true => "By synthesis, which counts the logic that the estimate leaves out",
            false => "Gates by synthesis, which are no objective of this search",
        };
        let about = format!(
            "\n{about}; GE have 1.5 for a bit of memory, and differences below 5 % are noise:\n\n"
        );
        table::sentences(&about) + &table.to_text()
    }
}
