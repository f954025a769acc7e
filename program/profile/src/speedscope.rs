//! The call tree for [speedscope](https://www.speedscope.app).

use std::io::Write;

use rustc_hash::FxHashMap;
use serde_json::json;
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
    let mut contexts: Vec<(Option<u64>, Vec<Vec<usize>>, Vec<u64>)> = Vec::new();
    for Stack { context, path, instructions } in seen.tree.paths() {
        let stack = path.into_iter().map(|function| {
            *numbers.entry(function).or_insert_with(|| {
                frames.push(json!({ "name": seen.names.get(function).name }));
                frames.len() - 1
            })
        });
        let stack = stack.collect();
        let place = contexts.iter().position(|(known, ..)| *known == context);
        let place = place.unwrap_or_else(|| {
            contexts.push((context, Vec::new(), Vec::new()));
            contexts.len() - 1
        });
        contexts[place].1.push(stack);
        contexts[place].2.push(instructions);
    }
    let profiles: Vec<_> = contexts
        .into_iter()
        .map(|(context, samples, weights)| {
            let of_context =
                context.map_or(String::new(), |context| format!(", context {context:#x}"));
            json!({
                "type": "sampled",
                "name": format!("{program}{of_context}: instructions"),
                "unit": "none",
                "startValue": 0,
                "endValue": weights.iter().sum::<u64>(),
                "samples": samples,
                "weights": weights,
            })
        })
        .collect();
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
