//! The advice on a design as one self-contained HTML page.

use minijinja::{Environment, UndefinedBehavior, Value, context};
use serde::Serialize;

use crate::figures;
use crate::html::{Error, page_style};
use crate::plot::advice::{PHONE, Point, SCREEN, draw};

const TEMPLATE: &str = include_str!("../templates/advice.html");

const STYLE: &str = include_str!("../templates/advice.css");

/// What the page says.
#[derive(Clone, Debug, Serialize)]
pub struct Page {
    /// What the advice is on.
    pub title: String,
    /// The programs that designs were measured on.
    pub programs: Vec<Program>,
    /// The day of the advice.
    pub date: String,
    /// The recommendations, the first of which is taken.
    pub recommendations: Vec<String>,
    /// What else is to be known.
    pub notes: Vec<String>,
    /// The designs.
    pub designs: Vec<Design>,
    /// The gates in the plot: the title of its axis.
    pub gates: String,
    /// The bits in the plot: the title of its axis.
    pub bits: String,
    /// Gate equivalents per bit of memory in the first column of gates.
    pub storage_ge_per_bit: f64,
    /// The file of the design that is taken.
    pub toml: String,
    /// The command that generates it.
    pub command: String,
    /// The programs that made the page.
    pub made_by: String,
}

/// A program.
#[derive(Clone, Debug, Serialize)]
pub struct Program {
    /// Its file.
    pub name: String,
    /// Instructions that were traced.
    pub instructions: u64,
}

/// A design in the table and in the plot.
#[derive(Clone, Debug, Serialize)]
pub struct Design {
    /// Its name.
    pub name: String,
    /// True for the one that is taken.
    pub is_chosen: bool,
    /// Bits per instruction of all programs together.
    pub total_bits: f64,
    /// Bits per instruction of the program that has the most.
    pub worst_bits: f64,
    /// That program.
    pub worst_program: String,
    /// Gate equivalents with memories at some per bit.
    pub dense_ge: f64,
    /// Gate equivalents with memories of flip-flops.
    pub flip_flop_ge: f64,
    /// Bits of its output FIFO.
    pub fifo_bits: u32,
    /// Bits of a FIFO that never stalls.
    pub fifo_needed_bits: u64,
    /// The share of cycles in which the processor waits, in percent.
    pub stall_percent: f64,
    /// Its place in the plot: gates and bits.
    pub place: (f64, f64),
}

/// The page.
///
/// # Errors
/// Never with valid figures.
pub fn page(page: &Page) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.add_filter("grouped", |number: f64| figures::grouped(number.round() as u64));
    environment.add_filter("digits", |number: f64, digits: usize| format!("{number:.digits$}"));
    environment.add_template("advice.html", TEMPLATE)?;
    let points: Vec<Point> = page
        .designs
        .iter()
        .map(|design| Point {
            name: design.name.clone(),
            gates: design.place.0,
            bits: design.place.1,
            is_chosen: design.is_chosen,
        })
        .collect();
    let plot = |size| draw(&points, &page.gates, &page.bits, size).map(Value::from_safe_string);
    let template = environment.get_template("advice.html")?;
    Ok(template.render(context! {
        page,
        screen => plot(SCREEN),
        phone => plot(PHONE),
        style => Value::from_safe_string(page_style() + STYLE),
    })?)
}
