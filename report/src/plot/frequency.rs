//! Plot of the highest clock frequency in FPGAs.

use super::Plot;
use super::axis::Axis;
use super::bars::legend_places;
use super::canvas::{Anchor, Canvas, FONT, WIDTH, text_width};
use crate::data::Report;

const BAR: f64 = 11.0;

/// The plot; `None` if no design was routed.
pub fn plot(report: &Report) -> Option<Plot> {
    let mut families: Vec<(&str, usize)> = Vec::new();
    for fpga in report.designs.iter().flat_map(|design| &design.fpga) {
        if !families.iter().any(|(family, _)| *family == fpga.family) {
            families.push((&fpga.family, families.len() + 1));
        }
    }
    if families.is_empty() {
        return None;
    }
    let devices = report.designs.iter().flat_map(|design| &design.fpga);
    let mut devices: Vec<String> = devices
        .map(|fpga| {
            let nextpnr = fpga.nextpnr.trim_start_matches("nextpnr-");
            format!("{} {} by nextpnr {nextpnr}", fpga.family, fpga.device)
        })
        .collect();
    devices.sort();
    devices.dedup();
    Some(Plot {
        id: "frequency",
        title: "Highest clock frequency in FPGAs",
        caption: format!(
            "After routing, with registers at the module's pins: {}.",
            devices.join("; ")
        ),
        svg: draw(report, &families),
    })
}

fn draw(report: &Report, families: &[(&str, usize)]) -> String {
    let designs: Vec<_> = report.designs.iter().filter(|design| !design.fpga.is_empty()).collect();
    let labels = designs.iter().map(|design| text_width(&design.design, FONT));
    let left = 16.0 + labels.fold(0.0, f64::max);
    let pitch = BAR * families.len() as f64 + 10.0;
    let top = 32.0;
    let bottom = top + pitch * designs.len() as f64;
    let mut canvas = Canvas::new(bottom + 50.0, "Highest clock frequency in FPGAs, bars");
    for ((family, colour), (x, row)) in families.iter().zip(legend_places(families, left)) {
        let y = 6.0 + 21.0 * row;
        canvas.rectangle((x, y), (12.0, 12.0), &format!("c{colour}"), 1.0, "");
        canvas.text((x + 18.0, y + 11.0), Anchor::Start, "label", family);
    }
    let all = designs.iter().flat_map(|design| &design.fpga).filter_map(|fpga| fpga.fmax_mhz);
    let axis = Axis::linear(all.fold(0.0, f64::max), left, WIDTH - 60.0);
    axis.draw_below(&mut canvas, top, bottom, "highest clock frequency (MHz)");
    canvas.line((left, top), (left, bottom), "axis");
    for (index, design) in designs.iter().enumerate() {
        let y = top + pitch * index as f64 + 5.0;
        let middle = y + BAR * families.len() as f64 / 2.0 + 4.5;
        canvas.text((left - 8.0, middle), Anchor::End, "label", &design.design);
        for fpga in &design.fpga {
            let Some(place) = families.iter().position(|(family, _)| *family == fpga.family) else {
                continue;
            };
            let y = y + BAR * place as f64;
            let (length, tip, text) = match fpga.fmax_mhz {
                Some(fmax) => {
                    (axis.at(fmax) - left, format!("{fmax:.1} MHz"), format!("{fmax:.0}"))
                }
                None => (0.0, "does not fit".into(), "does not fit".into()),
            };
            let tip = format!("{}, {}: {tip}", design.design, fpga.family);
            let class = format!("c{}", families[place].1);
            canvas.rectangle((left, y), (length, BAR - 1.0), &class, 1.0, &tip);
            canvas.text((left + length + 5.0, y + 9.5), Anchor::Start, "small", &text);
        }
    }
    canvas.finish()
}
