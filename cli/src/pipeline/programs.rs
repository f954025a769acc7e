//! The programs of an execution, as views of it need them.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use tracewright_view::OfContext;

use super::contexts::Contexts;
use super::failure::usage;
use super::program_files::Followed;

/// The programs, that of all contexts that have none of their own first, which is in the file `other`.
///
/// # Errors
/// When one of them is a trace.
pub fn of_contexts(contexts: &Contexts, other: &Path) -> Result<Vec<OfContext>> {
    let own = contexts.own.iter().map(|own| (Some(own.context), own.path.as_path(), &own.followed));
    let other = (None, other, &contexts.other);
    std::iter::once(other)
        .chain(own)
        .map(|(context, path, followed)| match followed {
            Followed::Image { image, entry } => {
                let entry = entry.unwrap_or(image.entry());
                Ok(OfContext { context, image: Arc::clone(image), entry })
            }
            Followed::Learned(_) => Err(usage(format!(
                "--program: {} is a trace, expected the ELF file of the program",
                path.display()
            ))),
        })
        .collect()
}
