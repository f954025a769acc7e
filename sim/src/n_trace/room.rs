//! The scheme, as the list of schemes wants it.

crate::room::room! { "ntrace", documented "ntrace-htm", control_flow(0), alone }
