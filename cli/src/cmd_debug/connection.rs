//! GDB at standard input and output.

use std::io::{self, Read, Write};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

use tracewright_debugger::{Connection, ConnectionExt};

/// Bytes that are read at once.
const BYTES: usize = 1 << 12;

/// Standard input, which a thread reads, so that it is known whether GDB has sent something; and standard output.
pub struct Standard {
    sent: Receiver<io::Result<Vec<u8>>>,
    waiting: Vec<u8>,
    at: usize,
    output: io::Stdout,
}

impl Standard {
    /// Begins to read.
    pub fn open() -> Standard {
        let (sender, sent) = mpsc::channel();
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            let mut bytes = vec![0; BYTES];
            loop {
                let read = input.read(&mut bytes).map(|count| bytes[..count].to_vec());
                let is_last = read.as_ref().map_or(true, Vec::is_empty);
                if sender.send(read).is_err() || is_last {
                    return;
                }
            }
        });
        Standard { sent, waiting: Vec::new(), at: 0, output: io::stdout() }
    }

    fn take(&mut self, sent: io::Result<Vec<u8>>) -> io::Result<()> {
        self.waiting = sent?;
        self.at = 0;
        match self.waiting.is_empty() {
            true => Err(io::ErrorKind::UnexpectedEof.into()),
            false => Ok(()),
        }
    }
}

impl Connection for Standard {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.output.write_all(&[byte])
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl ConnectionExt for Standard {
    fn read(&mut self) -> io::Result<u8> {
        if self.at >= self.waiting.len() {
            let sent = self.sent.recv().unwrap_or_else(|_| Ok(Vec::new()));
            self.take(sent)?;
        }
        self.at += 1;
        Ok(self.waiting[self.at - 1])
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.at >= self.waiting.len() {
            match self.sent.try_recv() {
                Ok(sent) => self.take(sent)?,
                Err(TryRecvError::Empty) => return Ok(None),
                Err(TryRecvError::Disconnected) => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
        Ok(self.waiting.get(self.at).copied())
    }
}
