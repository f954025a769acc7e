//! The scheme, as the list of schemes wants it.

crate::room::room! { "etrace", documented "etrace-base", control_flow(0), alone }
