//! Plot of the designs that are compared for some programs, at a width for screens and one for phones.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas};
use super::labels::{self, Labelled};
use super::scatter::{label, range};
use crate::figures::grouped;

/// Width and height of the drawing for a screen.
pub const SCREEN: (f64, f64) = (1000.0, 520.0);

/// Width and height of the drawing for a phone.
pub const PHONE: (f64, f64) = (380.0, 440.0);

const LEFT: f64 = 70.0;
const TOP: f64 = 40.0;

/// A design.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Gate equivalents.
    pub gates: f64,
    /// Bits per instruction.
    pub bits: f64,
    /// True for the one that is recommended first.
    pub is_chosen: bool,
}

/// The drawing; `None` if no design has gates and bits. `bits` says which bits per instruction they are.
pub fn draw(
    points: &[Point],
    gates: &str,
    bits: &str,
    (width, height): (f64, f64),
) -> Option<String> {
    let mut points: Vec<&Point> =
        points.iter().filter(|point| point.gates > 0.0 && point.bits > 0.0).collect();
    if points.is_empty() {
        return None;
    }
    // The first labels are the nearest to their points.
    points.sort_by_key(|point| !point.is_chosen);
    // Half of the text of a mark at the end of the axis is beyond it.
    let (bottom, right) = (height - 50.0, width - 24.0);
    let (low, high) = range(points.iter().map(|point| point.gates));
    let horizontal = Axis::logarithmic(low, high, 1.15, LEFT, right);
    let (low, high) = range(points.iter().map(|point| point.bits));
    let vertical = Axis::logarithmic(low, high, 1.2, bottom, TOP);
    let mut canvas = Canvas::sized(width, height, "Gates against bits per instruction");
    horizontal.draw_below(&mut canvas, TOP, bottom, gates);
    vertical.draw_left(&mut canvas, LEFT, right, bits);
    let place = |point: &Point| (horizontal.at(point.gates), vertical.at(point.bits));
    let labelled: Vec<Labelled> = points
        .iter()
        .map(|point| Labelled { at: place(point), text: point.name.clone() })
        .collect();
    let area = (LEFT + 4.0, TOP + 2.0, right, bottom - 4.0);
    for (labelled, frame) in labelled.iter().zip(labels::place(&labelled, &[], area)) {
        label(&mut canvas, labelled, frame);
    }
    for point in &points {
        let (name, gates, bits) = (&point.name, grouped(point.gates as u64), point.bits);
        let tip = format!("{name}: {gates} GE, {bits:.4} bits/instruction");
        mark(&mut canvas, place(point), point.is_chosen, &tip);
    }
    let mut x = LEFT;
    for (is_chosen, text) in [(true, "recommended"), (false, "other designs")] {
        mark(&mut canvas, (x + 6.0, 16.0), is_chosen, "");
        canvas.text((x + 18.0, 20.5), Anchor::Start, "label", text);
        x += 140.0;
    }
    Some(canvas.finish())
}

fn mark(canvas: &mut Canvas, at: (f64, f64), is_chosen: bool, tip: &str) {
    let (radius, class) = if is_chosen { (7.0, "c4") } else { (5.0, "c1") };
    canvas.disc(at, radius, class, tip);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(name: &str, gates: f64, bits: f64) -> Point {
        Point { name: name.into(), gates, bits, is_chosen: name == "one" }
    }

    #[test]
    fn every_axis_has_four_marks_at_both_widths() {
        let far = [point("one", 1420.0, 2.1), point("two", 11_635.0, 0.06)];
        let alone = [point("one", 7127.0, 0.0593)];
        for points in [&far[..], &alone[..]] {
            for size in [SCREEN, PHONE] {
                let svg = draw(points, "gates", "bits", size).expect("a drawing");
                let ticks = |anchor: &str| {
                    let is_one = |line: &&str| {
                        line.contains("class=\"tick\"") && line.contains(&format!("\"{anchor}\""))
                    };
                    svg.lines().filter(is_one).count()
                };
                assert!(ticks("middle") >= 4 && ticks("end") >= 4, "{svg}");
                assert!(points.iter().all(|one| svg.contains(&format!("{}: ", one.name))), "{svg}");
            }
        }
        assert!(draw(&[point("none", 0.0, 0.0)], "gates", "bits", PHONE).is_none());
    }
}
