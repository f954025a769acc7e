//! Who calls a function.

use std::sync::Arc;

use anyhow::Result;
use tracewright_image::Image;
use tracewright_view::callers::{Caller, callers};
use tracewright_view::{OfContext, Seen};

use super::shown::{Row, Shown};
use super::{Arguments, tables};
use crate::pipeline::failure::usage;
use crate::pipeline::output::Output;
use crate::pipeline::print::grouped;
use crate::pipeline::table::Table;

/// The callers of the functions that are asked for.
///
/// # Errors
/// When one of them was not entered.
pub fn find(
    arguments: &Arguments,
    programs: &[OfContext],
    seen: &Seen<Output, Output>,
) -> Result<Vec<Row<Caller>>> {
    let images: Vec<Arc<Image>> = programs.iter().map(|one| Arc::clone(&one.image)).collect();
    let mut rows = Vec::new();
    for name in &arguments.calls_of {
        let found = callers(seen, &images, name).ok_or_else(|| {
            usage(format_args!(
                "--calls-of {name}: no function of this name was entered; --functions lists those that ran"
            ))
        })?;
        let of_context = |row: Caller| Row { context: programs[row.program].context, row };
        rows.extend(found.into_iter().map(of_context));
    }
    rows.truncate(arguments.top);
    Ok(rows)
}

/// The table of callers.
pub fn table(shown: &Shown) -> String {
    let header = ["calls of", "by", "line", "at", "how", "calls", "instructions"];
    let mut table = Table::new(&tables::with_context(shown, &header), 5).named_by(2);
    for Row { row: caller, context } in &shown.calls_of {
        let mut row = vec![
            tables::shortened(&caller.function),
            caller.caller.as_deref().map_or(String::new(), tables::shortened),
            caller.line.as_deref().map_or("", tables::last_part).into(),
            caller.address.map_or(String::new(), |address| format!("{address:x}")),
            caller.way.into(),
            grouped(caller.count),
            grouped(caller.instructions),
        ];
        row.extend(shown.has_own_programs.then(|| tables::of_context(*context)));
        table.add_row(row);
    }
    table.to_text()
}
