//! The scheme, as the list of schemes wants it.

crate::room::room! { "ntuple", documented "ntuple-32x4", control_flow(0), raw }
