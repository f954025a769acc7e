//! The call tree for [speedscope](https://www.speedscope.app).

use std::io::Write;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use tracewright_view::Seen;
use tracewright_view::tree::Stack;

use crate::error::Error;

/// Where the format is described.
const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

/// Writes the stacks as a profile with a weight for each, the number of instructions: one profile, or one for each
/// context. `program` is the name of the program.
///
/// # Errors
/// When the file cannot be written.
pub fn write<L, T>(seen: &Seen<L, T>, program: &str, into: &mut impl Write) -> Result<(), Error> {
    let mut numbers = FxHashMap::default();
    let mut frames = Vec::new();
    let mut contexts: Vec<OfContext> = Vec::new();
    for Stack { context, path, instructions } in seen.tree.paths() {
        let stack = path.into_iter().map(|function| {
            *numbers.entry(function).or_insert_with(|| {
                frames.push(json!({ "name": seen.names.get(function).name }));
                frames.len() - 1
            })
        });
        let stack = stack.collect();
        let place = contexts.iter().position(|known| known.context == context);
        let place = place.unwrap_or_else(|| {
            contexts.push(OfContext { context, ..OfContext::default() });
            contexts.len() - 1
        });
        contexts[place].samples.push(stack);
        contexts[place].weights.push(instructions);
    }
    let profiles: Vec<_> = contexts.iter().map(|one| one.profile(program)).collect();
    let file = json!({
        "$schema": SCHEMA,
        "exporter": "tracewright",
        "name": program,
        "shared": { "frames": frames },
        "profiles": profiles,
    });
    serde_json::to_writer(&mut *into, &file).map_err(std::io::Error::from)?;
    into.write_all(b"\n")?;
    Ok(())
}

/// The stacks of one context, or of all where there are none.
#[derive(Debug, Default)]
struct OfContext {
    context: Option<u64>,
    /// Stacks as numbers of functions.
    samples: Vec<Vec<usize>>,
    /// Instructions of each stack.
    weights: Vec<u64>,
}

impl OfContext {
    fn profile(&self, program: &str) -> Value {
        let of = self.context.map_or(String::new(), |context| format!(", context {context:#x}"));
        json!({
            "type": "sampled",
            "name": format!("{program}{of}: instructions"),
            "unit": "none",
            "startValue": 0,
            "endValue": self.weights.iter().sum::<u64>(),
            "samples": self.samples,
            "weights": self.weights,
        })
    }
}
