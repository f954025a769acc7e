//! Plot of a search: every design measured, and the Pareto front.

use super::Plot;
use super::axis::Axis;
use super::canvas::{Anchor, Canvas, WIDTH};
use super::labels::{self, Labelled};
use super::scatter::{label, range};
use crate::figures::grouped;

const HEIGHT: f64 = 620.0;
const LEFT: f64 = 74.0;
const TOP: f64 = 40.0;

/// The role of a design in a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Another design is better in one objective and not worse in the others.
    Dominated,
    /// No other design is.
    Front,
    /// A preset, to compare with.
    Preset,
}

/// A design of a search.
#[derive(Clone, Debug)]
pub struct Point {
    /// What is written beside it, if anything.
    pub label: Option<String>,
    /// The tool tip.
    pub tip: String,
    /// Gates by the papers' rule.
    pub gates: f64,
    /// What is plotted against the gates: bits per instruction, or a ratio of bits.
    pub figure: f64,
    /// The role.
    pub role: Role,
}

/// The plot of gates against a figure that has this name; `None` if no design has both.
pub fn plot(points: &[Point], name: &str) -> Option<Plot> {
    let points: Vec<&Point> =
        points.iter().filter(|point| point.gates > 0.0 && point.figure > 0.0).collect();
    if points.is_empty() {
        return None;
    }
    Some(Plot {
        id: "search",
        title: "Designs of the search",
        caption: format!("Gates by the papers' rule against {name}. Down and left is better."),
        svg: draw(&points, name),
    })
}

fn draw(points: &[&Point], name: &str) -> String {
    let (bottom, right) = (HEIGHT - 50.0, WIDTH - 26.0);
    let (low, high) = range(points.iter().map(|point| point.gates));
    let horizontal = Axis::logarithmic(low, high, 1.08, LEFT, right);
    let (low, high) = range(points.iter().map(|point| point.figure));
    let vertical = Axis::logarithmic(low, high, 1.08, bottom, TOP);
    let mut canvas = Canvas::new(HEIGHT, &format!("Gates against {name}, of a search"));
    horizontal.draw_below(&mut canvas, TOP, bottom, "estimated gates (1.5 per bit of storage)");
    vertical.draw_left(&mut canvas, LEFT, right, name);
    let place = |point: &Point| (horizontal.at(point.gates), vertical.at(point.figure));
    let of_role = |role: Role| points.iter().filter(move |point| point.role == role);
    for role in [Role::Dominated, Role::Front, Role::Preset] {
        for point in of_role(role) {
            mark(&mut canvas, place(point), role, &point.tip);
        }
    }
    let named: Vec<&&Point> = points.iter().filter(|point| point.label.is_some()).collect();
    let labelled: Vec<Labelled> = named
        .iter()
        .map(|point| Labelled { at: place(point), text: point.label.clone().unwrap_or_default() })
        .collect();
    let area = (LEFT + 4.0, TOP + 2.0, right, bottom - 4.0);
    for (labelled, frame) in labelled.iter().zip(labels::place(&labelled, &[], area)) {
        label(&mut canvas, labelled, frame);
    }
    let count = |role| grouped(of_role(role).count() as u64);
    let mut x = LEFT;
    for (role, text) in [
        (Role::Front, format!("Pareto front: {}", count(Role::Front))),
        (Role::Dominated, format!("other designs: {}", count(Role::Dominated))),
        (Role::Preset, "presets".into()),
    ] {
        mark(&mut canvas, (x + 6.0, 16.0), role, "");
        canvas.text((x + 18.0, 20.5), Anchor::Start, "label", &text);
        x += 200.0;
    }
    canvas.finish()
}

fn mark(canvas: &mut Canvas, (x, y): (f64, f64), role: Role, tip: &str) {
    match role {
        Role::Dominated => canvas.disc((x, y), 2.5, "c0", tip),
        Role::Front => canvas.disc((x, y), 4.5, "c4", tip),
        Role::Preset => {
            let corners = [(x, y - 6.0), (x + 6.0, y), (x, y + 6.0), (x - 6.0, y)];
            canvas.path(&corners, true, "hollow", tip);
        }
    }
}
