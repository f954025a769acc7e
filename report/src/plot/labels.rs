//! Puts labels beside points so that none covers another label or a point.

use super::canvas::{FONT, text_width};

/// A point with a label.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// Position of the point.
    pub at: (f64, f64),
    /// Text of the label.
    pub text: String,
}

/// A rectangle: left, top, right, bottom.
type Frame = (f64, f64, f64, f64);

/// Height of a label's text.
const HEIGHT: f64 = FONT + 1.0;

/// Half the size of a point with the space around it.
const POINT: f64 = 6.5;

/// Distances of a label from its point, the nearest first.
const DISTANCES: [f64; 11] = [9.0, 18.0, 30.0, 44.0, 60.0, 80.0, 104.0, 132.0, 170.0, 215.0, 270.0];

/// Directions that are tried at every distance.
const DIRECTIONS: u32 = 36;

/// Positions of the labels inside `area`, off the lines through the points of `lines`, in the order of the points;
/// `None` for a label without a free position.
pub fn place(points: &[Labelled], lines: &[(f64, f64)], area: Frame) -> Vec<Option<Frame>> {
    let mut taken: Vec<Frame> = points.iter().map(|point| around(point.at)).collect();
    let mut leaders: Vec<((f64, f64), (f64, f64))> =
        lines.windows(2).map(|ends| (ends[0], ends[1])).collect();
    points
        .iter()
        .map(|point| {
            let width = text_width(&point.text, FONT);
            let is_free = |frame: &Frame| {
                let inside = frame.0 >= area.0
                    && frame.1 >= area.1
                    && frame.2 <= area.2
                    && frame.3 <= area.3;
                inside && !taken.iter().any(|other| overlap(*frame, *other))
            };
            // Near positions are better, and those whose line to the label crosses few others. In a crowd the line may
            // have to pass under another label.
            let cost = |frame: &Frame| {
                let leader = (point.at, nearest(*frame, point.at));
                let (of_points, of_labels) = taken.split_at(points.len());
                let others = of_points.iter().filter(|other| **other != around(point.at));
                let over_points = others.filter(|other| crosses(leader, **other)).count();
                let over_labels = of_labels.iter().filter(|other| crosses(leader, **other)).count();
                let under_lines = leaders.iter().filter(|other| crosses(**other, *frame)).count();
                let length = (leader.1.0 - leader.0.0).hypot(leader.1.1 - leader.0.1);
                length + 12.0 * over_points as f64 + 200.0 * (over_labels + under_lines) as f64
            };
            let costs =
                candidates(point.at, width).filter(is_free).map(|frame| (cost(&frame), frame));
            let (_, frame) = costs.min_by(|one, other| one.0.total_cmp(&other.0))?;
            taken.push(frame);
            leaders.push((point.at, nearest(frame, point.at)));
            Some(frame)
        })
        .collect()
}

/// The position on a label that is nearest to its point.
pub fn nearest(frame: Frame, (x, y): (f64, f64)) -> (f64, f64) {
    (x.clamp(frame.0, frame.2), y.clamp(frame.1, frame.3))
}

/// Positions around a point, the right side first.
fn candidates((x, y): (f64, f64), width: f64) -> impl Iterator<Item = Frame> {
    DISTANCES.into_iter().flat_map(move |distance| {
        (0..DIRECTIONS).map(move |step| {
            // The right side first, then up and down in turns towards the left.
            let half = f64::from(step.div_ceil(2)) * if step % 2 == 0 { 1.0 } else { -1.0 };
            let angle = half * std::f64::consts::TAU / f64::from(DIRECTIONS);
            let (right, down) = (angle.cos(), angle.sin());
            let (middle_x, middle_y) = (x + right * distance, y + down * distance);
            let left = middle_x - (1.0 - right) / 2.0 * width;
            let top = middle_y - (1.0 - down) / 2.0 * HEIGHT;
            (left, top, left + width, top + HEIGHT)
        })
    })
}

fn around((x, y): (f64, f64)) -> Frame {
    (x - POINT, y - POINT, x + POINT, y + POINT)
}

fn overlap(one: Frame, other: Frame) -> bool {
    one.0 < other.2 && other.0 < one.2 && one.1 < other.3 && other.1 < one.3
}

/// True if a line crosses a frame.
fn crosses((from, to): ((f64, f64), (f64, f64)), frame: Frame) -> bool {
    let steps = 64;
    (0..=steps).any(|step| {
        let part = f64::from(step) / f64::from(steps);
        let (x, y) = (from.0 + part * (to.0 - from.0), from.1 + part * (to.1 - from.1));
        frame.0 < x && x < frame.2 && frame.1 < y && y < frame.3
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_a_crowd_do_not_overlap() {
        let points: Vec<Labelled> = (0..24)
            .map(|index| {
                let (column, row) = (f64::from(index % 6), f64::from(index / 6));
                let at = (300.0 + 24.0 * column, 250.0 + 16.0 * row);
                Labelled { at, text: format!("design-{index}") }
            })
            .collect();
        let frames = place(&points, &[], (0.0, 0.0, 1000.0, 600.0));
        for (index, frame) in frames.iter().enumerate() {
            let frame = frame.unwrap_or_else(|| panic!("{index} has no place"));
            for other in frames[..index].iter().flatten() {
                assert!(!overlap(frame, *other), "{index}");
            }
            assert!(points.iter().all(|point| !overlap(frame, around(point.at))), "{index}");
        }
    }
}
