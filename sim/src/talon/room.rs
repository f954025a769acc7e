//! The scheme, as the list of schemes wants it.

crate::room::room! { "talon", documented "talon-m", control_flow(), own }
