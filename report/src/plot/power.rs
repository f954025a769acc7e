//! Plot of where the energy of a clock cycle goes.

use tracewright_synthesis::{Energy, Power};

use super::Plot;
use super::bars::{Bar, Bars};

/// Femtojoules of a picojoule, because figures after bars are whole.
const FEMTO: f64 = 1000.0;

/// The plot.
pub fn plot(power: &Power) -> Plot {
    let bar = |label: &str, energy: &Energy| Bar {
        label: label.to_owned(),
        parts: energy
            .parts()
            .into_iter()
            .map(|(name, picojoules)| (name.to_owned(), picojoules * FEMTO))
            .collect(),
        total: energy.total_pj * FEMTO,
    };
    let bars = Bars {
        name: "Energy of a clock cycle, stacked bars",
        axis: "energy of a clock cycle (fJ)",
        unit: "fJ",
        first: None,
        bars: vec![
            bar("running", &power.running),
            bar("running, memories with clock gates", &power.gated),
            bar("nothing traced", &power.idle),
            bar("nothing traced, with clock gates", &power.idle_gated),
        ],
    };
    Plot {
        id: "power",
        title: "Energy of a clock cycle",
        caption: format!(
            "Dynamic energy of {} with cells of {}; docs/power.md says what is counted.{}",
            power.design,
            power.library,
            bars.sentence_on_longer()
        ),
        svg: bars.draw(),
    }
}
