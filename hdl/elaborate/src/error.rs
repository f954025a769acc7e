//! errors
/// E
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// x
    #[error("x")]
    X,
}
