//! What goes between a debugger and the server: packets are checked before the crate `gdbstub` has them, since it gives up
//! a session at the first one that it does not understand.

use std::collections::VecDeque;
use std::io;

use gdbstub::conn::{Connection, ConnectionExt};

use crate::server::Client;

/// Bytes of the longest packet that is taken.
const LONGEST: usize = 4096;

/// What a debugger is told that wants to write a register.
const NO_REGISTERS: &str =
    "E.registers of a recorded run cannot be written; monitor goto goes to another instruction";

/// Packets by which LLDB asks for what GDB does not know.
const OF_LLDB: [&[u8]; 2] = [b"QThreadSuffixSupported", b"qHostInfo"];

const FEATURES: &[u8] = b"qSupported";
const SILENCE: &[u8] = b"QStartNoAckMode";

/// A connection to a debugger that hands on whole packets alone.
pub(crate) struct Wire {
    connection: Box<Client>,
    /// Bytes of packets that are to be handed on.
    ready: VecDeque<u8>,
    /// What is answered, until it is complete.
    answer: Vec<u8>,
    /// The last answer that was sent.
    sent: Vec<u8>,
    /// What has been agreed with the debugger: its features and the thread it means.
    agreed: Vec<Vec<u8>>,
    /// What the debugger proposes, with its beginning, until it is answered.
    proposed: Option<(Vec<u8>, &'static [u8])>,
    /// Answers that the debugger has had already.
    muted: usize,
    /// True while each packet is acknowledged.
    acknowledges: bool,
    is_of_lldb: bool,
    /// Words of the stack that come with the next stop.
    stack: Vec<(u64, Vec<u8>)>,
    /// True once a packet has come.
    has_begun: bool,
}

impl Wire {
    pub(crate) fn new(connection: Box<Client>) -> Wire {
        Wire {
            connection,
            ready: VecDeque::new(),
            answer: Vec::new(),
            sent: Vec::new(),
            agreed: Vec::new(),
            proposed: None,
            muted: 0,
            acknowledges: true,
            is_of_lldb: false,
            stack: Vec::new(),
            has_begun: false,
        }
    }

    /// Answers the packet that was not understood with an error, and begins again with what has been agreed.
    pub(crate) fn begin_again(&mut self) -> io::Result<()> {
        self.answer.clear();
        self.ready.clear();
        self.proposed = None;
        self.reply("E.the packet is not understood")?;
        self.muted = self.agreed.len();
        for body in &self.agreed {
            self.ready.extend(packet(body));
        }
        Ok(())
    }

    /// Sends a text to the debugger's console, which takes it while the execution goes on.
    pub(crate) fn say(&mut self, text: &str) -> io::Result<()> {
        let digits: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        self.send(&packet(format!("O{digits}").as_bytes()))
    }

    /// LLDB reads memory in pieces of 512 bytes, of which all have to be known, but takes what comes with a stop as it is.
    pub(crate) fn wants_stack(&self) -> bool {
        self.is_of_lldb
    }

    /// Sends words of the stack with the next stop.
    pub(crate) fn set_stack(&mut self, stack: Vec<(u64, Vec<u8>)>) {
        self.stack = stack;
    }

    /// The answer with words of the stack, if it is that of a stop.
    fn with_stack(&mut self, answer: Vec<u8>) -> Vec<u8> {
        let Some(begin) = answer.iter().position(|byte| *byte == b'$') else { return answer };
        let Some(end) = answer.iter().rposition(|byte| *byte == b'#') else { return answer };
        if self.stack.is_empty() || !answer[begin + 1..end].starts_with(b"T") {
            return answer;
        }
        let mut body = answer[begin + 1..end].to_vec();
        for (address, bytes) in std::mem::take(&mut self.stack) {
            let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            body.extend(format!("memory:{address:#x}={digits};").bytes());
        }
        let mut whole = answer[..begin].to_vec();
        whole.extend(packet(&body));
        whole
    }

    /// Answers a packet that is not handed on.
    fn reply(&mut self, body: &str) -> io::Result<()> {
        let mut bytes = if self.acknowledges { vec![b'+'] } else { Vec::new() };
        bytes.extend(packet(body.as_bytes()));
        self.send(&bytes)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.connection.write_all(bytes)?;
        self.connection.flush()
    }

    /// Reads on until there is something to hand on.
    fn receive(&mut self) -> io::Result<()> {
        while self.ready.is_empty() {
            match self.connection.read()? {
                b'$' => {
                    self.has_begun = true;
                    let (body, is_whole) = self.body()?;
                    match is_whole {
                        _ if body.len() > LONGEST - 4 => self.reply("E.the packet is too long")?,
                        true => self.take(body)?,
                        false if self.acknowledges => self.send(b"-")?,
                        false => self.reply("E.the packet's checksum is wrong")?,
                    }
                }
                byte @ 3 => self.ready.push_back(byte),
                b'-' => {
                    let sent = std::mem::take(&mut self.sent);
                    self.send(&sent)?;
                    self.sent = sent;
                }
                b'+' => {}
                // No debugger begins so.
                _ if !self.has_begun => return Err(io::ErrorKind::InvalidData.into()),
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the rest of a packet; gives its body, and whether it came as it was sent.
    fn body(&mut self) -> io::Result<(Vec<u8>, bool)> {
        let mut body = Vec::new();
        loop {
            match self.connection.read()? {
                b'#' => break,
                // Another packet begins: the last one has no end.
                b'$' => body.clear(),
                byte => body.push(byte),
            }
            body.truncate(LONGEST + 1);
        }
        let digits = [self.connection.read()?, self.connection.read()?];
        let sum =
            std::str::from_utf8(&digits).ok().and_then(|two| u8::from_str_radix(two, 16).ok());
        let is_whole = sum == Some(checksum(&body));
        Ok((body, is_whole))
    }

    /// Hands a packet on, or answers it.
    fn take(&mut self, mut body: Vec<u8>) -> io::Result<()> {
        if OF_LLDB.iter().any(|packet| body.starts_with(packet)) {
            self.is_of_lldb = true;
        }
        match body.first() {
            Some(b'P' | b'G') => return self.reply(NO_REGISTERS),
            // LLDB takes a packet with registers that are not known for one of garbage: it asks for each then.
            Some(b'g') if self.is_of_lldb => return self.reply(""),
            Some(b'H') if body.get(1) == Some(&b'g') => {
                // Registers are those of one thread, also where all are meant.
                if body.ends_with(b"-1") {
                    body = b"Hg0".to_vec();
                }
                self.proposed = Some((body.clone(), b"Hg"));
            }
            Some(b'H') => self.proposed = Some((body.clone(), b"Hc")),
            _ if body.starts_with(FEATURES) => self.proposed = Some((body.clone(), FEATURES)),
            _ if body == SILENCE => self.proposed = Some((body.clone(), SILENCE)),
            _ => {}
        }
        self.ready.extend(packet(&body));
        Ok(())
    }

    /// Keeps what begins so in place of what began so.
    fn agree(&mut self, body: &[u8], begin: &[u8]) {
        self.agreed.retain(|agreed| !agreed.starts_with(begin));
        self.agreed.push(body.to_vec());
    }
}

impl Connection for Wire {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.answer.push(byte);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let answer = std::mem::take(&mut self.answer);
        if self.muted > 0 {
            self.muted -= 1;
            return Ok(());
        }
        let answer = self.with_stack(answer);
        self.send(&answer)?;
        if let Some((body, begin)) = self.proposed.take()
            && !answer.windows(2).any(|two| two == b"$E")
        {
            self.acknowledges &= begin != SILENCE;
            self.agree(&body, begin);
        }
        self.sent = answer;
        Ok(())
    }
}

impl ConnectionExt for Wire {
    fn read(&mut self) -> io::Result<u8> {
        self.receive()?;
        Ok(self.ready.pop_front().unwrap_or(0))
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        while self.ready.is_empty() && self.connection.peek()? == Some(b'+') {
            self.connection.read()?;
        }
        match self.ready.front() {
            Some(byte) => Ok(Some(*byte)),
            None => self.connection.peek(),
        }
    }
}

/// The sum of a packet's bytes.
fn checksum(body: &[u8]) -> u8 {
    body.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

/// A packet with its frame.
fn packet(body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![b'$'];
    bytes.extend(body);
    bytes.extend(format!("#{:02x}", checksum(body)).bytes());
    bytes
}
