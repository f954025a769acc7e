//! Several cores' trace modules in hardware, and the one way out that they share.
pub mod encoder;
pub mod time_stamps;
pub mod top;
