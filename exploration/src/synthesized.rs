//! Designs of a search by their gates after synthesis, which the papers' estimate does not know: it leaves logic out.

use std::collections::BTreeMap;

use crate::objective::{self, Objective};
use crate::outcome::{Exploration, Row};

impl Exploration {
    /// The designs that are worth a synthesis: those on the front, the presets, and every other design that would be on
    /// the front with this part of its estimated gates less, from 0 up to 1. Predictors without hardware have no synthesis.
    pub fn survivors(&self, margin: f64) -> Vec<&Row> {
        let scores = |row: &Row, margin: f64| -> Vec<f64> {
            let score = |one: &Objective| match one {
                Objective::Gates => row.score(*one) * (1.0 - margin),
                _ => row.score(*one),
            };
            self.objectives.iter().map(score).collect()
        };
        let front: Vec<Vec<f64>> = self.front().map(|row| scores(row, 0.0)).collect();
        let is_close = |row: &Row| {
            let own = scores(row, margin);
            margin > 0.0 && !front.iter().any(|better| objective::dominates(better, &own))
        };
        let survives = |row: &&Row| row.is_on_front || row.is_preset() || is_close(row);
        self.configurations.iter().filter(|row| row.is_design()).filter(survives).collect()
    }

    /// The designs that no other one beats with these gates in place of the estimate, by name. Designs without gates do
    /// not count.
    pub fn front_by(&self, gates: &BTreeMap<String, f64>) -> Vec<&str> {
        let counted =
            self.configurations.iter().filter_map(|row| Some((row, *gates.get(&row.design)?)));
        let counted: Vec<(&Row, f64)> = counted.collect();
        let scores = |(row, gates): &(&Row, f64)| -> Vec<f64> {
            let score = |one: &Objective| match one {
                Objective::Gates => *gates,
                _ => row.score(*one),
            };
            self.objectives.iter().map(score).collect()
        };
        let scores: Vec<Vec<f64>> = counted.iter().map(scores).collect();
        let front = counted.iter().zip(objective::front(&scores));
        front
            .filter(|(_, is_on_front)| *is_on_front)
            .map(|((row, _), _)| row.design.as_str())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A result with designs of these bits per instruction and estimated gates, of which the first is a preset.
    fn found(designs: &[(&str, f64, u32)]) -> Exploration {
        let row = |(name, bits, gates): &(&str, f64, u32)| -> Value {
            json!({
                "design": name, "preset": "a", "parameters": {}, "bits_per_instruction": bits, "gates": gates,
                "buffer_bits": 0, "worst_trace": "", "worst_bits_per_instruction": bits, "is_on_front": false,
                "by_trace": []
            })
        };
        let rows: Vec<Value> = designs.iter().map(row).collect();
        let mut found: Exploration = serde_json::from_value(json!({
            "search": "", "shards": [], "strategy": "all", "objectives": ["bits_per_instruction", "gates"],
            "traces": [], "configurations": rows, "improvement": null
        }))
        .expect("a result");
        found.rank();
        found
    }

    #[test]
    fn designs_near_the_front_survive_and_are_ranked_by_their_gates() {
        let found =
            found(&[("a", 0.5, 9_000), ("b", 0.4, 1_000), ("c", 0.3, 2_000), ("d", 0.4, 1_040)]);
        let names = |rows: Vec<&Row>| rows.iter().map(|row| row.design.clone()).collect::<Vec<_>>();
        // The preset survives although it is far from the front.
        assert_eq!(names(found.survivors(0.0)), ["c", "b", "a"]);
        assert_eq!(names(found.survivors(0.05)), ["c", "b", "d", "a"]);
        // With its logic b is beaten by d, which has as few bits, and a is not counted.
        let gates = [("b", 3_000.0), ("c", 4_000.0), ("d", 2_900.0)];
        let gates = gates.map(|(name, gates)| (name.to_owned(), gates)).into_iter().collect();
        assert_eq!(found.front_by(&gates), ["c", "d"]);
    }
}
