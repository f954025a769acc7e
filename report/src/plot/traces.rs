//! Bits per instruction by trace, as a table of cells whose colour is stronger for more bits.

use super::Plot;
use super::canvas::{Anchor, Canvas, FONT, WIDTH, text_width};
use crate::data::Report;

const PITCH: f64 = 23.0;
const HEADER: f64 = 62.0;

/// Room for the end of the last slanted label.
const RIGHT: f64 = 36.0;

/// The plot; `None` if no design was measured.
pub fn plot(report: &Report) -> Option<Plot> {
    let designs: Vec<_> =
        report.designs.iter().filter(|design| !design.bandwidth.is_empty()).collect();
    if designs.is_empty() {
        return None;
    }
    let rows = designs.iter().map(|design| {
        let of = |trace: &str| {
            let found = design.bandwidth.iter().find(|one| one.trace == trace);
            found.map(|one| one.bits_per_instruction)
        };
        let mut row: Vec<_> = report.traces.iter().map(|trace| of(&trace.name)).collect();
        row.push(design.bits_per_instruction);
        (design.design.as_str(), row)
    });
    let mut names: Vec<&str> = report.traces.iter().map(|trace| trace.name.as_str()).collect();
    names.push("all together");
    Some(Plot {
        id: "traces",
        title: "Bits per instruction by trace",
        caption: "Padding not counted; the stronger the colour, the more bits, on a logarithmic scale. Designs that trace data addresses \
                  are measured on traces that have them. The last column weights by instructions."
            .into(),
        svg: draw(&rows.collect::<Vec<_>>(), &names),
    })
}

fn draw(rows: &[(&str, Vec<Option<f64>>)], names: &[&str]) -> String {
    let labels = rows.iter().map(|(name, _)| text_width(name, FONT));
    let left = 40.0 + labels.fold(0.0, f64::max);
    let column = (WIDTH - left - RIGHT) / names.len() as f64;
    let turned = names.iter().any(|name| text_width(name, FONT) > column - 8.0);
    let longest = names.iter().map(|name| text_width(name, FONT)).fold(0.0, f64::max);
    let top = if turned { 44.0 + 0.72 * longest } else { HEADER };
    let bottom = top + PITCH * rows.len() as f64;
    let mut canvas = Canvas::new(bottom + 10.0, "Bits per instruction by design and trace");
    let middle = (left + WIDTH - RIGHT) / 2.0;
    let title = "trace (cells: bits per instruction)";
    canvas.text((middle, 16.0), Anchor::Middle, "axis-title", title);
    canvas.upright((18.0, (top + bottom) / 2.0), "axis-title", "design");
    for (index, name) in names.iter().enumerate() {
        let x = left + column * (index as f64 + 0.5);
        match turned {
            true => canvas.slanted((x - 4.0, top - 8.0), "label", name),
            false => canvas.text((x, top - 10.0), Anchor::Middle, "label", name),
        }
    }
    let values = rows.iter().flat_map(|(_, row)| row.iter().flatten()).filter(|bits| **bits > 0.0);
    let (low, high) =
        values.fold((f64::INFINITY, 0.0f64), |(low, high), bits| (low.min(*bits), high.max(*bits)));
    for (index, (design, row)) in rows.iter().enumerate() {
        let y = top + PITCH * index as f64;
        canvas.text((left - 8.0, y + 16.0), Anchor::End, "label", design);
        for (place, bits) in row.iter().enumerate() {
            let x = left + column * place as f64;
            let Some(bits) = bits else {
                canvas.text((x + column / 2.0, y + 16.0), Anchor::Middle, "tick", "-");
                continue;
            };
            let part =
                if *bits > 0.0 && high > low { (bits / low).ln() / (high / low).ln() } else { 0.0 };
            let tip = format!("{design}, {}: {bits:.5} bits/instruction", names[place]);
            let size = (column - 2.0, PITCH - 2.0);
            canvas.rectangle((x + 1.0, y + 1.0), size, "heat", 0.06 + 0.54 * part, &tip);
            let text = format!("{bits:.4}");
            canvas.text((x + column / 2.0, y + 16.0), Anchor::Middle, "value", &text);
        }
    }
    canvas.finish()
}
