//! What the adapters between a core's own port and a trace module have in common.

use crate::config::require;
use crate::parameter::ParameterError;

/// Checks the queue of an adapter: `depth` entries, of which `slack` may still come after `stall` has risen.
///
/// # Errors
/// The first constraint that is broken, by name.
pub(crate) fn validate_queue(depth: u32, slack: u32) -> Result<(), ParameterError> {
    require((2..=64).contains(&depth), "ingress_queue", depth, || "must be 2 to 64".into())?;
    require(slack < depth, "ingress_slack", slack, || {
        format!("must be below ingress_queue = {depth}")
    })
}
