//! The scheme, as the list of schemes wants it.

crate::room::room! { "stream_cache", documented "stream-ebase-128", control_flow(0), raw }
