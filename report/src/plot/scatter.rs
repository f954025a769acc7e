//! Plot of gates against bits per instruction: the papers' Figure 10.

use super::Plot;
use super::axis::Axis;
use super::bars::legend_places;
use super::canvas::{Anchor, Canvas, FONT, WIDTH};
use super::labels::{self, Labelled};
use crate::data::Report;
use crate::figures::grouped;
use crate::papers;

const HEIGHT: f64 = 760.0;
const LEFT: f64 = 74.0;

/// The mark of a point.
#[derive(Clone, Copy, PartialEq)]
enum Look {
    /// A disc in the colour of a scheme.
    Measured(&'static str),
    /// A hollow disc.
    Model,
    /// A hollow diamond.
    Printed,
    /// A hollow square.
    Peer,
}

struct Point {
    gates: f64,
    bits: f64,
    name: String,
    tip: String,
    look: Look,
}

const OF_PAPERS: &str = "Diamonds: both figures as printed in a paper, the bits as the average of its programs. Squares: \
    others' modules, from published or measured figures; those measured count memories as flip-flops, about ten gates \
    per bit instead of 1.5. On the lower edge: modules and cores whose gates alone are known.";

const OF_MODELS: &str = "Circles: predictors without hardware, model only, their gates by the papers' rule from the \
    declared tables; they are on no front. ";

const OF_OTHERS: &str = "The traces are not all of programs of the papers, so their figures are left out. Squares on the \
    lower edge: gates of others' modules and cores, published or measured; those measured count memories as flip-flops, \
    about ten gates per bit instead of 1.5.";

/// The plot; `None` if nothing was measured.
pub fn plot(report: &Report) -> Option<Plot> {
    let mut schemes: Vec<&'static str> = Vec::new();
    let mut points = Vec::new();
    // Designs on the front come first, so that their labels are nearest to them.
    let mut designs: Vec<_> = report.designs.iter().collect();
    designs.sort_by_key(|design| !design.is_on_front);
    for design in designs {
        let Some((gates, bits)) = design.point() else { continue };
        if !schemes.contains(&design.scheme) {
            schemes.push(design.scheme);
        }
        let name = design.design.clone();
        points.push(point(gates, bits, name, "measured", Look::Measured(design.scheme)));
    }
    for model in &report.models {
        let Some((gates, bits)) = model.point() else { continue };
        points.push(point(gates, bits, model.name.clone(), "model only", Look::Model));
    }
    if points.is_empty() {
        return None;
    }
    let of_models = if report.models.is_empty() { "" } else { OF_MODELS };
    // Bits of other programs would say nothing beside those of these.
    let is_of_papers = report.traces.iter().all(|trace| papers::is_of_papers(&trace.name));
    if is_of_papers {
        points.extend(references());
    }
    let beside = if is_of_papers { OF_PAPERS } else { OF_OTHERS };
    Some(Plot {
        id: "bandwidth",
        title: "Gates against bits per instruction",
        caption: format!(
            "The papers' Figure 10. Down and left is better; no design is below the line, the Pareto front. Discs: \
             designs on the given traces, their gates by synthesis. {of_models}{beside}"
        ),
        svg: draw(&points, &schemes, is_of_papers),
    })
}

fn point(gates: f64, bits: f64, name: String, how: &str, look: Look) -> Point {
    let tip = format!("{name}: {} gates, {bits:.4} bits/instruction, {how}", grouped(gates as u64));
    Point { gates, bits, name, tip, look }
}

/// The paper whose programs are not MiBench.
const SPLASH: char = 'E';

/// Points for the printed figures of the papers and of other modules.
fn references() -> Vec<Point> {
    let mut points = Vec::new();
    for printed in papers::BANDWIDTH.iter().filter(|printed| printed.paper != SPLASH) {
        let Some(gates) = printed.design.and_then(papers::gates_of) else { continue };
        let name = format!("{}, paper {}", gates.name.replace(", per core", ""), gates.paper);
        // Paper A's bandwidth goes with the gates that paper C prints for it.
        let how = format!("printed in {} of paper {}", printed.place, printed.paper);
        let (gates, bits) = (gates.gates.into(), printed.bits_per_instruction);
        points.push(point(gates, bits, name, &how, Look::Printed));
    }
    for peer in &papers::PEERS {
        if let Some(bits) = peer.bits_per_instruction {
            let name = peer.name.split(" (").next().unwrap_or_default().into();
            points.push(point(peer.gates.into(), bits, name, peer.source, Look::Peer));
        }
    }
    points
}

fn draw(points: &[Point], schemes: &[&'static str], is_of_papers: bool) -> String {
    let mut entries: Vec<(&str, usize)> = vec![];
    let names: Vec<String> = schemes.iter().map(|scheme| scheme.replace('_', " ")).collect();
    entries.extend(names.iter().map(|name| (name.as_str(), 0)));
    let has_models = points.iter().any(|point| point.look == Look::Model);
    if has_models {
        entries.push(("model only", 0));
    }
    if is_of_papers {
        entries.push(("printed in a paper", 0));
    }
    entries.extend([("others", 0), ("Pareto front", 0)]);
    let places = legend_places(&entries, LEFT);
    let top = 14.0 + 21.0 * places.last().map_or(0.0, |(_, row)| row + 1.0);
    let (bottom, right) = (HEIGHT - 50.0, WIDTH - 12.0);
    let strip = bottom - 84.0;

    let has_no_point = |peer: &&papers::Peer| !is_of_papers || peer.bits_per_instruction.is_none();
    let lone = || papers::PEERS.iter().filter(has_no_point);
    let all_gates = points.iter().map(|point| point.gates);
    let all_gates = all_gates.chain(lone().map(|peer| f64::from(peer.gates)));
    let (low, high) = range(all_gates);
    let horizontal = Axis::logarithmic(low, high, 1.12, LEFT, right);
    let (low, high) = range(points.iter().map(|point| point.bits));
    let vertical = Axis::logarithmic(low, high, 1.35, strip, top);

    let mut canvas = Canvas::new(HEIGHT, "Gates against bits per instruction");
    horizontal.draw_below(&mut canvas, top, bottom, "gates (gate equivalents, NAND2 = 1)");
    vertical.draw_left(&mut canvas, LEFT, right, "bits per instruction");
    canvas.line((LEFT, strip), (right, strip), "axis");
    let place = |point: &Point| (horizontal.at(point.gates), vertical.at(point.bits));
    let front = front(points, &place, (top, right));
    canvas.path(&front, false, "front", "");

    let mut labelled: Vec<Labelled> = points
        .iter()
        .map(|point| Labelled { at: place(point), text: point.name.clone() })
        .collect();
    let frames = labels::place(&labelled, &front, (LEFT + 4.0, top + 2.0, right, strip - 4.0));
    for (labelled, frame) in labelled.iter().zip(frames) {
        label(&mut canvas, labelled, frame);
    }
    for point in points {
        mark(&mut canvas, place(point), point.look, &point.tip);
    }
    labelled = lone()
        .map(|peer| Labelled {
            at: (horizontal.at(peer.gates.into()), bottom - 10.0),
            text: peer.name.split(" (").next().unwrap_or_default().into(),
        })
        .collect();
    let frames = labels::place(&labelled, &[], (LEFT + 4.0, strip + 2.0, right, bottom - 4.0));
    for ((labelled, frame), peer) in labelled.iter().zip(frames).zip(lone()) {
        label(&mut canvas, labelled, frame);
        let tip = format!("{}: {} gates, {}", peer.name, grouped(peer.gates.into()), peer.source);
        mark(&mut canvas, labelled.at, Look::Peer, &tip);
    }
    let mut looks: Vec<Look> = schemes.iter().map(|scheme| Look::Measured(scheme)).collect();
    looks.extend(has_models.then_some(Look::Model));
    looks.extend(is_of_papers.then_some(Look::Printed));
    looks.push(Look::Peer);
    draw_legend(&mut canvas, &places, &entries, looks);
    canvas.finish()
}

/// The marks of the legend and what they mean.
fn draw_legend(
    canvas: &mut Canvas,
    places: &[(f64, f64)],
    entries: &[(&str, usize)],
    looks: Vec<Look>,
) {
    for ((x, row), look) in places.iter().zip(looks) {
        mark(canvas, (x + 6.0, 12.0 + 21.0 * row), look, "");
    }
    if let Some((x, row)) = places.last() {
        let y = 12.0 + 21.0 * row;
        canvas.line((x - 2.0, y), (x + 13.0, y), "front");
    }
    for ((x, row), (name, _)) in places.iter().zip(entries) {
        canvas.text((x + 18.0, 16.5 + 21.0 * row), Anchor::Start, "label", name);
    }
}

/// The staircase of the Pareto front.
fn front(
    points: &[Point],
    place: &dyn Fn(&Point) -> (f64, f64),
    (top, right): (f64, f64),
) -> Vec<(f64, f64)> {
    let mut measured: Vec<&Point> =
        points.iter().filter(|point| matches!(point.look, Look::Measured(_))).collect();
    measured.sort_by(|one, other| {
        one.gates.total_cmp(&other.gates).then(one.bits.total_cmp(&other.bits))
    });
    let mut steps: Vec<(f64, f64)> = Vec::new();
    let mut least = f64::INFINITY;
    for point in measured {
        if point.bits < least {
            let (x, y) = place(point);
            steps.push((x, steps.last().map_or(top, |(_, y)| *y)));
            steps.push((x, y));
            least = point.bits;
        }
    }
    if let Some((_, y)) = steps.last().copied() {
        steps.push((right, y));
    }
    steps
}

/// Writes a label, with a line to its point where that is far away.
pub fn label(canvas: &mut Canvas, labelled: &Labelled, frame: Option<(f64, f64, f64, f64)>) {
    let Some(frame) = frame else { return };
    let to = labels::nearest(frame, labelled.at);
    let away = (to.0 - labelled.at.0).hypot(to.1 - labelled.at.1);
    if away > 14.0 {
        canvas.line(labelled.at, to, "leader");
    }
    // The text is as wide as its frame or narrower: it is held where the point is.
    let (x, anchor) = if frame.0 >= labelled.at.0 - 1.0 {
        (frame.0, Anchor::Start)
    } else if frame.2 <= labelled.at.0 + 1.0 {
        (frame.2, Anchor::End)
    } else {
        ((frame.0 + frame.2) / 2.0, Anchor::Middle)
    };
    canvas.text((x, frame.3 - FONT * 0.25), anchor, "point-label", &labelled.text);
}

fn mark(canvas: &mut Canvas, (x, y): (f64, f64), look: Look, tip: &str) {
    let size = 5.0;
    match look {
        Look::Measured(scheme) => canvas.disc((x, y), size, &format!("scheme-{scheme}"), tip),
        Look::Model => canvas.disc((x, y), size, "hollow", tip),
        Look::Printed => {
            let corners = [(x, y - 6.0), (x + 6.0, y), (x, y + 6.0), (x - 6.0, y)];
            canvas.path(&corners, true, "hollow", tip);
        }
        Look::Peer => {
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(right, down)| (x + 4.5 * right, y + 4.5 * down));
            canvas.path(&corners, true, "hollow", tip);
        }
    }
}

/// The least and the greatest value.
pub fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(low, high), value| (low.min(value), high.max(value)))
}
