//! The report as one self-contained HTML page.

use minijinja::{Environment, UndefinedBehavior, Value, context};

use crate::data::Report;
use crate::figures;
use crate::papers::{self, Memories};
use crate::plot::{self, Plot};

/// The error of a page that could not be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot fill in the report's page: {0}")]
pub struct Error(#[from] minijinja::Error);

const TEMPLATE: &str = include_str!("../templates/report.html");

/// The style sheet of a page with tables and plots, for light screens, dark screens and paper.
pub fn page_style() -> String {
    format!("{}{}", include_str!("../templates/page.css"), plot::STYLE)
}

/// The page, with more plots after its own.
///
/// # Errors
/// Never with valid reports.
pub fn page(report: &Report, more: Vec<Plot>, made_by: &str) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.add_filter("grouped", |number: f64| figures::grouped(number.round() as u64));
    environment.add_filter("digits", |number: f64, digits: usize| format!("{number:.digits$}"));
    environment.add_template("report.html", TEMPLATE)?;
    let plots: Vec<Value> = plot::all(report)
        .into_iter()
        .chain(more)
        .map(|plot| {
            let svg = Value::from_safe_string(plot.svg);
            context! { id => plot.id, title => plot.title, caption => plot.caption, svg }
        })
        .collect();
    let peers: Vec<Value> = papers::PEERS
        .iter()
        .map(|peer| {
            let bits = peer.bits_per_instruction;
            let (dense, flip_flops) = match peer.memories {
                Memories::Dense => (Some(peer.gates), None),
                Memories::FlipFlops => (None, Some(peer.gates)),
            };
            context! { name => peer.name, dense, flip_flops, bits, source => peer.source }
        })
        .collect();
    let printed: Vec<Value> = papers::BANDWIDTH
        .iter()
        .map(|one| {
            context! {
                paper => one.paper.to_string(),
                place => one.place,
                name => one.name,
                design => one.design,
                gates => one.design.and_then(papers::gates_of).map(|printed| printed.gates),
                bits => one.bits_per_instruction,
            }
        })
        .collect();
    let template = environment.get_template("report.html")?;
    Ok(template.render(context! {
        report,
        made_by,
        plots,
        peers,
        printed,
        has_fpga => report.designs.iter().any(|design| !design.fpga.is_empty()),
        style => Value::from_safe_string(page_style()),
    })?)
}
