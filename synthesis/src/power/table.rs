//! Tables of power and transition times.

use super::units::Units;
use crate::liberty::syntax::Item;

/// What a figure depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    /// The transition time at the input.
    Slew,
    /// The capacitance at the output, or at another one, which has none of its own here.
    Load,
}

/// Figures over up to three axes.
#[derive(Clone, Debug)]
pub(super) struct Table {
    axes: Vec<(Axis, Vec<f64>)>,
    /// The last axis moves first.
    values: Vec<f64>,
}

impl Table {
    /// Reads a table, whose axes are those of a template of the library unless it says some of its own.
    ///
    /// # Errors
    /// What is expected in it.
    pub(super) fn read(
        table: &Item<'_>,
        library: &Item<'_>,
        template: &'static str,
    ) -> Result<Table, String> {
        let wrong = |reason: String| format!("{} ({}): {reason}", table.kind, table.argument());
        let name = table.argument();
        let template =
            library.items.iter().flatten().find(|item| {
                item.kind == template && item.argument() == name && item.items.is_some()
            });
        let mut axes = Vec::new();
        for number in 1..=3 {
            let (variable, index) = (format!("variable_{number}"), format!("index_{number}"));
            let of = |item: &Item<'_>| numbers(item, &index).map_err(wrong);
            let Some(template) = template else { break };
            let named = template.items.iter().flatten().find(|item| item.kind == variable);
            let Some(named) = named else { break };
            let axis = match named.argument() {
                name if name.ends_with("_transition") || name.ends_with("_transition_time") => {
                    Axis::Slew
                }
                _ => Axis::Load,
            };
            let places = of(table)?.or(of(template)?);
            let places =
                places.ok_or_else(|| wrong(format!("expected an {index} in it or in {name}")))?;
            if places.is_empty() || !places.is_sorted() {
                return Err(wrong(format!("expected rising numbers in its {index}")));
            }
            axes.push((axis, places));
        }
        let values = numbers(table, "values").map_err(wrong)?;
        let values = values.ok_or_else(|| wrong("expected values in it".into()))?;
        let expected: usize = axes.iter().map(|(_, places)| places.len()).product();
        if values.len() != expected {
            let found = values.len();
            return Err(wrong(format!("expected {expected} values in it, found {found}")));
        }
        Ok(Table { axes, values })
    }

    /// The figure at a transition time and a load, between the nearest ones that the table has, and at its ends beyond them.
    pub(super) fn at(&self, slew: f64, load: f64) -> f64 {
        let mut values = self.values.clone();
        for (axis, places) in self.axes.iter().rev() {
            let at = if *axis == Axis::Slew { slew } else { load };
            let above = places.partition_point(|place| *place < at).min(places.len() - 1);
            let below = above.saturating_sub(1);
            let width = places[above] - places[below];
            let part = if width > 0.0 { (at - places[below]) / width } else { 0.0 };
            let part = part.clamp(0.0, 1.0);
            let between = |row: &[f64]| row[below] + part * (row[above] - row[below]);
            values = values.chunks(places.len()).map(between).collect();
        }
        values[0]
    }

    /// The same in seconds and farads, with all figures times `factor`.
    pub(super) fn scaled(mut self, units: &Units, factor: f64) -> Table {
        for (axis, places) in &mut self.axes {
            let unit = if *axis == Axis::Slew { units.seconds } else { units.farads };
            places.iter_mut().for_each(|place| *place *= unit);
        }
        self.values.iter_mut().for_each(|value| *value *= factor);
        self
    }
}

/// The numbers of an attribute, which are in one or several texts.
fn numbers(item: &Item<'_>, kind: &str) -> Result<Option<Vec<f64>>, String> {
    let Some(attribute) = item.items.iter().flatten().find(|item| item.kind == kind) else {
        return Ok(None);
    };
    let words = attribute.arguments.iter().flat_map(|text| {
        text.split(|c: char| c == ',' || c == '\\' || c.is_whitespace()).filter(|w| !w.is_empty())
    });
    let number = |word: &str| {
        let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
        number.ok_or_else(|| format!("expected numbers in its {kind}, found `{word}`"))
    };
    words.map(number).collect::<Result<_, _>>().map(Some)
}
