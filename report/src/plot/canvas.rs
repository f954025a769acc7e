//! The canvas on which plots are drawn.

use svg::Document;
use svg::node::element::{Circle, Group, Line, Path, Rectangle, Text, Title};

/// Colours and fonts of every plot.
pub const STYLE: &str =
    concat!(include_str!("../../templates/schemes.css"), include_str!("../../templates/plot.css"));

/// Width of every plot.
pub const WIDTH: f64 = 1000.0;

/// Size of text.
pub const FONT: f64 = 13.0;

/// The anchor of a text.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// The beginning of the text.
    Start,
    /// The middle of the text.
    Middle,
    /// The end of the text.
    End,
}

/// A drawing.
#[derive(Debug)]
pub struct Canvas {
    width: f64,
    height: f64,
    name: String,
    nodes: Vec<Group>,
}

impl Canvas {
    /// An empty drawing; `name` describes it for screen readers.
    pub fn new(height: f64, name: &str) -> Self {
        Self::sized(WIDTH, height, name)
    }

    /// An empty drawing of another width.
    pub fn sized(width: f64, height: f64, name: &str) -> Self {
        Self { width, height, name: name.into(), nodes: Vec::new() }
    }

    /// Writes a text with its base line at `y`.
    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, class: &str, text: &str) {
        self.push(Group::new().add(label(at, anchor, class, text)));
    }

    /// Writes a text from bottom to top, centred at the point.
    pub fn upright(&mut self, (x, y): (f64, f64), class: &str, text: &str) {
        let turn = format!("rotate(-90 {} {})", round(x), round(y));
        let text = label((x, y), Anchor::Middle, class, text).set("transform", turn);
        self.push(Group::new().add(text));
    }

    /// Writes a text that rises to the right from the point.
    pub fn slanted(&mut self, (x, y): (f64, f64), class: &str, text: &str) {
        let turn = format!("rotate(-45 {} {})", round(x), round(y));
        let text = label((x, y), Anchor::Start, class, text).set("transform", turn);
        self.push(Group::new().add(text));
    }

    /// Draws a straight line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        let line = Line::new()
            .set("x1", round(from.0))
            .set("y1", round(from.1))
            .set("x2", round(to.0))
            .set("y2", round(to.1))
            .set("class", class);
        self.push(Group::new().add(line));
    }

    /// Draws a filled rectangle with the tool tip `tip`; an `opacity` of 1 is opaque.
    pub fn rectangle(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        class: &str,
        opacity: f64,
        tip: &str,
    ) {
        let mut rectangle = Rectangle::new()
            .set("x", round(x))
            .set("y", round(y))
            .set("width", round(width.max(0.0)))
            .set("height", round(height))
            .set("class", class);
        if opacity < 1.0 {
            rectangle = rectangle.set("fill-opacity", round(opacity));
        }
        self.push(tipped(tip).add(rectangle));
    }

    /// Draws straight lines through points, closed or open, with the tool tip `tip`.
    pub fn path(&mut self, points: &[(f64, f64)], closed: bool, class: &str, tip: &str) {
        let mut data = String::new();
        for (index, (x, y)) in points.iter().enumerate() {
            let letter = if index == 0 { 'M' } else { 'L' };
            data += &format!("{letter}{} {}", round(*x), round(*y));
        }
        if closed {
            data.push('Z');
        }
        self.push(tipped(tip).add(Path::new().set("d", data).set("class", class)));
    }

    /// Draws a disc with the tool tip `tip`.
    pub fn disc(&mut self, (x, y): (f64, f64), radius: f64, class: &str, tip: &str) {
        let disc = Circle::new().set("cx", round(x)).set("cy", round(y)).set("r", radius);
        self.push(tipped(tip).add(disc.set("class", class)));
    }

    fn push(&mut self, node: Group) {
        self.nodes.push(node);
    }

    /// The SVG element.
    pub fn finish(self) -> String {
        let mut document = Document::new()
            .set("viewBox", (0, 0, self.width as u32, self.height.ceil() as u32))
            .set("class", "plot")
            .set("role", "img")
            .set("aria-label", self.name);
        for node in self.nodes {
            document = document.add(node);
        }
        document.to_string()
    }
}

fn tipped(tip: &str) -> Group {
    match tip {
        "" => Group::new(),
        tip => Group::new().add(Title::new(tip)),
    }
}

fn label((x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) -> Text {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    Text::new(text)
        .set("x", round(x))
        .set("y", round(y))
        .set("text-anchor", anchor)
        .set("class", class)
}

/// Rounds a coordinate to hundredths.
fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

/// The width of a text in the widest of the usual fonts.
pub fn text_width(text: &str, font: f64) -> f64 {
    text.chars().count() as f64 * font * 0.6
}
