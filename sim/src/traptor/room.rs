//! The scheme, as the list of schemes wants it.

crate::room::room! { "traptor", documented "traptor-m4", control_flow(0), raw }
