//! The report as comma-separated values, with one figure per line in five columns.

use std::io::Write;

use tracewright_sim::cell;

use crate::data::{Bandwidth, DesignReport, ModelReport, Report};

/// Writes every figure of the report with the columns design, quantity, of, value, unit.
///
/// # Errors
/// When `into` cannot be written.
pub fn write(report: &Report, into: impl Write) -> Result<(), csv::Error> {
    let mut table = csv::Writer::from_writer(into);
    table.write_record(["design", "quantity", "of", "value", "unit"])?;
    for design in &report.designs {
        for (quantity, of, value, unit) in figures(design) {
            table.write_record([
                &design.design,
                quantity,
                &*cell::comma_separated(of),
                &value,
                unit,
            ])?;
        }
    }
    for model in &report.models {
        for (quantity, of, value, unit) in model_figures(model) {
            let of = cell::comma_separated(of);
            table.write_record([&model.name, quantity, &*of, &value, unit])?;
        }
    }
    Ok(table.flush()?)
}

type Figure<'a> = (&'static str, &'a str, String, &'static str);

fn figures(design: &DesignReport) -> Vec<Figure<'_>> {
    let gates = &design.gates;
    let ge = |value: f64| format!("{value:.2}");
    let mut figures: Vec<Figure<'_>> = vec![
        ("total", "", ge(gates.total_ge), "GE"),
        ("logic", "", ge(gates.logic_ge), "GE"),
        ("memories", "", ge(gates.storage_ge), "GE"),
        ("memory bits", "", gates.storage_bits.to_string(), "bits"),
        ("flip-flops", "", gates.flip_flops.to_string(), "flip-flops"),
        ("longest path", "", gates.gate_levels.to_string(), "gates"),
        ("estimate", "", design.estimated_gates.to_string(), "gates"),
    ];
    figures.extend(design.paper_gates.map(|gates| ("printed", "", gates.to_string(), "gates")));
    for module in &gates.modules {
        figures.push(("module", &module.module, ge(module.logic_ge), "GE"));
    }
    for stored in &design.storage {
        figures.push(("storage", &stored.structure, stored.bits.to_string(), "bits"));
    }
    figures.extend(bits(&design.bandwidth, design.bits_per_instruction));
    for fpga in &design.fpga {
        figures.push(("LUTs", &fpga.family, fpga.luts.to_string(), "LUTs"));
        let flip_flops = fpga.flip_flops.to_string();
        figures.push(("FPGA flip-flops", &fpga.family, flip_flops, "flip-flops"));
        figures.push(("block RAMs", &fpga.family, fpga.block_rams.to_string(), "RAMs"));
        figures.extend(
            fpga.fmax_mhz.map(|fmax| ("fmax", fpga.family.as_str(), format!("{fmax:.2}"), "MHz")),
        );
    }
    figures
}

/// The figures of a predictor without hardware.
fn model_figures(model: &ModelReport) -> Vec<Figure<'_>> {
    let gates = model.estimated_gates.map(|gates| ("estimate", "", gates.to_string(), "gates"));
    let mut figures = vec![("memory bits", "", model.storage_bits.to_string(), "bits")];
    figures.extend(gates);
    for stored in &model.storage {
        figures.push(("storage", &stored.structure, stored.bits.to_string(), "bits"));
    }
    figures.extend(bits(&model.bandwidth, model.bits_per_instruction));
    figures
}

/// Bits of every trace, and per instruction of all together.
fn bits(bandwidth: &[Bandwidth], together: Option<f64>) -> Vec<Figure<'_>> {
    let mut figures = Vec::new();
    for one in bandwidth {
        figures.push(("bits", one.trace.as_str(), one.bits.to_string(), "bits"));
        let bits = format!("{:.6}", one.bits_per_instruction);
        figures.push(("bits per instruction", &one.trace, bits, "bits/instruction"));
    }
    figures.extend(together.map(|bits| {
        ("bits per instruction", "all together", format!("{bits:.6}"), "bits/instruction")
    }));
    figures
}
