//! Frames read, each byte with its source.

use std::io::{self, Read};

use super::{FRAME_BYTES, SYNC};

/// Why frames cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// There is no synchronisation word, so no frame can be found.
    #[error("no synchronisation word 0x7fffffff was found: expected the frames of a funnel")]
    NoSynchronisation,
    /// A frame ends with the stream.
    #[error("the stream ends in a frame, after {bytes} of its 16 bytes, at offset {offset}")]
    CutOff {
        /// Bytes of the frame that are there.
        bytes: usize,
        /// Where the stream ends, in bytes from its beginning.
        offset: u64,
    },
    /// The stream cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Gives the bytes of the frames with the numbers of their sources, from the first synchronisation word on.
///
/// ```
/// use tracewright_sim::funnel::frames::FrameReader;
///
/// // A synchronisation word, then a frame: source 1 sends 0x55, source 2 sends 0x0f and 0xf0.
/// let mut stream = vec![0xff, 0xff, 0xff, 0x7f, 0x03, 0x55, 0x05, 0x0f, 0xf0, 0x00];
/// stream.extend([0x01, 0, 0x01, 0, 0x01, 0, 0x01, 0, 0x01, 0x00]);
/// let bytes: Vec<(u8, u8)> = FrameReader::new(stream.as_slice()).collect::<Result<_, _>>()?;
/// assert_eq!(bytes, [(1, 0x55), (2, 0x0f), (2, 0xf0), (2, 0x00)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FrameReader<R> {
    stream: R,
    offset: u64,
    is_found: bool,
    source: u8,
    /// The bytes of the last frame that were not given yet, the next one last.
    waiting: Vec<(u8, u8)>,
    is_over: bool,
}

impl<R: Read> FrameReader<R> {
    /// A reader at the beginning of a stream, which may begin in the middle of a frame.
    pub fn new(stream: R) -> Self {
        Self { stream, offset: 0, is_found: false, source: 0, waiting: Vec::new(), is_over: false }
    }

    /// Fills `bytes` as far as the stream goes; gives their number.
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < bytes.len() {
            match self.stream.read(&mut bytes[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.offset += filled as u64;
        Ok(filled)
    }

    /// Reads up to the end of the first synchronisation word.
    fn find(&mut self) -> Result<(), FrameError> {
        let mut last = [0; SYNC.len()];
        while last != SYNC {
            last.rotate_left(1);
            let mut byte = [0];
            if self.read(&mut byte)? == 0 {
                return Err(FrameError::NoSynchronisation);
            }
            last[SYNC.len() - 1] = byte[0];
        }
        self.is_found = true;
        Ok(())
    }

    /// Reads the next frame; false at the end of the stream.
    fn frame(&mut self) -> Result<bool, FrameError> {
        if !self.is_found {
            self.find()?;
        }
        let mut frame = [0; FRAME_BYTES];
        let mut filled = self.read(&mut frame[..SYNC.len()])?;
        while filled == SYNC.len() && frame[..SYNC.len()] == SYNC {
            filled = self.read(&mut frame[..SYNC.len()])?;
        }
        if filled == SYNC.len() {
            filled += self.read(&mut frame[SYNC.len()..])?;
        }
        match filled {
            0 => return Ok(false),
            FRAME_BYTES => {}
            bytes => return Err(FrameError::CutOff { bytes, offset: self.offset }),
        }
        let last = frame[FRAME_BYTES - 1];
        let mut following = None;
        for (place, byte) in frame[..FRAME_BYTES - 1].iter().copied().enumerate() {
            let flag = last >> (place / 2) & 1;
            match (place % 2, byte & 1) {
                (0, 1) if flag == 1 => following = Some(byte >> 1),
                (0, 1) => self.source = byte >> 1,
                (0, _) => self.waiting.push((self.source, byte | flag)),
                _ => {
                    self.waiting.push((self.source, byte));
                    self.source = following.take().unwrap_or(self.source);
                }
            }
        }
        self.source = following.unwrap_or(self.source);
        // Nobody's bytes fill frames up.
        self.waiting.retain(|(source, _)| *source != 0);
        self.waiting.reverse();
        Ok(true)
    }
}

impl<R: Read> Iterator for FrameReader<R> {
    type Item = Result<(u8, u8), FrameError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(byte) = self.waiting.pop() {
                return Some(Ok(byte));
            }
            if self.is_over {
                return None;
            }
            match self.frame() {
                Ok(is_there) => self.is_over = !is_there,
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Reads the bytes of one source as a stream of its own.
#[derive(Debug)]
pub struct SourceReader<R> {
    frames: FrameReader<R>,
    source: u8,
}

impl<R: Read> SourceReader<R> {
    /// The bytes of `source` in the frames of `stream`.
    pub fn new(stream: R, source: u8) -> Self {
        Self { frames: FrameReader::new(stream), source }
    }
}

impl<R: Read> Read for SourceReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.frames.next() {
                None => break,
                Some(Ok((source, byte))) => {
                    if source == self.source {
                        buffer[filled] = byte;
                        filled += 1;
                    }
                }
                Some(Err(FrameError::Io(error))) => return Err(error),
                Some(Err(error)) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            }
        }
        Ok(filled)
    }
}
