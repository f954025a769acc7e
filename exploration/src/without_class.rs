//! Leaving out one class of traces at a time: what a design that is chosen by the others costs on it.

use serde::{Deserialize, Serialize};

use crate::objective::{self, Objective};
use crate::outcome::{Exploration, Row, TraceSummary};

/// A search without one class of traces.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WithoutClass {
    /// The class that is left out.
    pub class: String,
    /// The designs on the front of the other classes, those with the fewest gates first.
    pub front: Vec<Elsewhere>,
    /// The one of them with the smallest main objective on the other classes, of no more gates than the baseline or the
    /// single preset if gates are an objective and there is such a design.
    pub chosen: String,
}

/// A design that other classes chose, on a class that had no part in the choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Elsewhere {
    /// The design.
    pub design: String,
    /// Its gates.
    pub gates: u32,
    /// Its main objective on the other classes.
    pub on_others: f64,
    /// Its main objective on the class that is left out.
    pub on_class: f64,
    /// The design with the smallest main objective on the class, of no more gates if they are an objective.
    pub best_design: String,
    /// The main objective of that design on the class.
    pub best_on_class: f64,
}

/// The search without each class: without those that are left out of it, or without each of several in turn.
pub fn without_each(found: &Exploration) -> Vec<WithoutClass> {
    let is_wanted = found.baseline.is_some() || found.traces.iter().any(|one| one.class.is_some());
    let classes = found.yardstick().classes();
    let left_out: Vec<&str> =
        found.traces.iter().filter(|one| one.is_left_out).map(TraceSummary::class).collect();
    let is_given = |class: &&str| left_out.is_empty() || left_out.contains(class);
    let classes: Vec<&str> = if classes.len() > 1 { classes } else { Vec::new() };
    let classes = classes.into_iter().filter(|class| is_wanted && is_given(class));
    classes.filter_map(|class| without(found, class)).collect()
}

fn without(found: &Exploration, class: &str) -> Option<WithoutClass> {
    let counts = |trace: &TraceSummary| trace.class() != class && !trace.is_left_out;
    let is_of_class = |trace: &TraceSummary| trace.class() == class;
    let main = found.main_objective();
    let by_gates = found.objectives.contains(&Objective::Gates);
    let rows = &found.configurations;
    let on = |row: &Row, counts: &dyn Fn(&TraceSummary) -> bool| {
        let figure = found.yardstick().figure(main, &row.by_trace, counts);
        figure.map_or(f64::INFINITY, |worst| worst.figure)
    };
    let scores: Vec<Vec<f64>> = rows.iter().map(|row| scores(found, row, &counts)).collect();
    let is_on_front = objective::front(&scores);
    let on_front = rows.iter().zip(is_on_front).filter(|(_, is_on_front)| *is_on_front);
    let elsewhere = |(row, _): (&Row, bool)| {
        let affordable = rows.iter().filter(|other| !by_gates || other.gates <= row.gates);
        let on_class = affordable.map(|other| (on(other, &is_of_class), other));
        let (best_on_class, best) = on_class.min_by(|one, other| one.0.total_cmp(&other.0))?;
        Some(Elsewhere {
            design: row.design.clone(),
            gates: row.gates,
            on_others: on(row, &counts),
            on_class: on(row, &is_of_class),
            best_design: best.design.clone(),
            best_on_class,
        })
    };
    let mut front: Vec<Elsewhere> = on_front.filter_map(elsewhere).collect();
    front.sort_by_key(|one| one.gates);
    let most = found.most_gates();
    let within = front.iter().filter(|one| most.is_none_or(|most| one.gates <= most));
    let chosen = within.min_by(|one, other| one.on_others.total_cmp(&other.on_others))?;
    let chosen = chosen.design.clone();
    Some(WithoutClass { class: class.to_owned(), front, chosen })
}

/// The objectives of a design on the traces that count.
fn scores(found: &Exploration, row: &Row, counts: &dyn Fn(&TraceSummary) -> bool) -> Vec<f64> {
    let yardstick = found.yardstick();
    let score = |objective: &Objective| match yardstick.figure(*objective, &row.by_trace, counts) {
        Some(worst) => worst.figure,
        None => row.score(*objective),
    };
    found.objectives.iter().map(score).collect()
}

impl Exploration {
    /// The gates that a design may have to be chosen: those of the baseline or else of the single preset, if gates are an
    /// objective and a design of the search has no more.
    pub fn most_gates(&self) -> Option<u32> {
        let is_preset = |row: &&Row| row.is_design() && row.is_preset();
        let presets = || self.configurations.iter().filter(is_preset);
        let single = || presets().next().filter(|_| presets().count() == 1).map(|row| row.gates);
        let most = self.baseline.as_ref().map(|one| one.gates).or_else(single);
        let most = most.filter(|_| self.objectives.contains(&Objective::Gates))?;
        let is_own = |row: &Row| self.baseline.as_ref().is_none_or(|one| one.design != row.design);
        let fits = |row: &Row| is_own(row) && row.gates <= most;
        self.configurations.iter().any(fits).then_some(most)
    }
}
