//! The scheme, as the list of schemes wants it.

crate::room::room! { "data_stride", documented "stride-1024", data_addresses, raw }
