//! The bytes of a file, which all that is made of it shares: a large program is in memory once.

use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::{Deref, Range};
use std::path::Path;
use std::sync::Arc;

/// Reads a file into memory of its size, without a copy. What has no size, such as a pipe, is read to its end.
///
/// # Errors
/// When it cannot be read, or becomes shorter meanwhile.
pub(crate) fn read(path: &Path) -> io::Result<Arc<[u8]>> {
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    let size = usize::try_from(metadata.len()).unwrap_or(0);
    if !metadata.is_file() || size == 0 {
        return fs::read(path).map(Arc::from);
    }
    let mut data: Arc<[u8]> = std::iter::repeat_n(0, size).collect();
    if let Some(bytes) = Arc::get_mut(&mut data) {
        file.read_exact(bytes)?;
    }
    Ok(data)
}

/// A part of a file.
#[derive(Clone)]
pub(crate) struct Bytes {
    data: Arc<[u8]>,
    range: Range<usize>,
}

impl Bytes {
    /// The bytes of a file in a range; none if it is not in the file.
    pub(crate) fn new(data: &Arc<[u8]>, range: Range<usize>) -> Self {
        let range = if data.get(range.clone()).is_some() { range } else { 0..0 };
        Self { data: Arc::clone(data), range }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.data[self.range.clone()]
    }
}
