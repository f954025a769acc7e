//! The scheme, as the list of schemes wants it.

crate::room::room! { "talon_data", documented "talon-d", data_addresses, raw }
