//! Designs of a search as comma-separated values.

use tracewright_sim::cell;

use crate::error::{Error, Result};
use crate::outcome::{Exploration, Row};

impl Exploration {
    /// Designs as comma-separated values, with a column for the bits of every trace.
    pub(crate) fn csv(&self, rows: &[&Row]) -> Result<String> {
        let fail = |error: csv::Error| Error::Text(error.to_string());
        let mut table = csv::Writer::from_writer(Vec::new());
        let fixed = [
            "design",
            "preset",
            "bits_per_instruction",
            "gates",
            "buffer_bits",
            "worst_bits_per_instruction",
            "worst_trace",
            "is_on_front",
            "parameters",
        ];
        let ratios =
            ["worst_ratio", "worst_ratio_trace", "worst_class_ratio", "worst_class", "ratio_bound"];
        let ratios = ratios.into_iter().filter(|_| self.baseline.is_some()).map(String::from);
        let of_traces = self.traces.iter().map(|trace| format!("bits of {}", trace.trace));
        // A search without predictors has the columns that it always had.
        let has_basis = self.configurations.iter().any(|row| !row.is_design());
        let basis = has_basis.then(|| "basis".to_owned());
        let header = fixed.map(String::from).into_iter().chain(basis).chain(ratios);
        let header = header.chain(of_traces);
        table.write_record(header).map_err(fail)?;
        for row in rows {
            let fixed = [
                row.design.clone(),
                row.preset.clone(),
                format!("{:.6}", row.bits_per_instruction),
                row.gates.to_string(),
                row.buffer_bits.to_string(),
                format!("{:.6}", row.worst_bits_per_instruction),
                cell::comma_separated(&row.worst_trace).into_owned(),
                row.is_on_front.to_string(),
                row.changes(),
            ];
            let of_traces = row.by_trace.iter().map(|figures| figures.bits.to_string());
            let ratios = row.ratios.iter().flat_map(|ratios| {
                [
                    format!("{:.6}", ratios.worst_ratio),
                    cell::comma_separated(&ratios.worst_ratio_trace).into_owned(),
                    format!("{:.6}", ratios.worst_class_ratio),
                    cell::comma_separated(&ratios.worst_class).into_owned(),
                    ratios.ratio_bound.map_or(String::new(), |bound| format!("{bound:.6}")),
                ]
            });
            let basis = has_basis.then(|| row.basis.clone().unwrap_or_default());
            let record = fixed.into_iter().chain(basis).chain(ratios).chain(of_traces);
            table.write_record(record).map_err(fail)?;
        }
        let bytes = table.into_inner().map_err(|error| Error::Text(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| Error::Text(error.to_string()))
    }
}
