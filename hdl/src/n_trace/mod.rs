//! N-Trace in hardware: branch histories, or taken branches, and addresses.
pub mod encoder;
pub mod record_former;
pub mod repeats;
pub mod top;
