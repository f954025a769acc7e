//! Speaks GDB's remote protocol.

use std::io;
use std::marker::PhantomData;

use gdbstub::common::Signal;
use gdbstub::conn::{Connection, ConnectionExt};
use gdbstub::stub::run_blocking::{BlockingEventLoop, Event, WaitForStopReasonError};
use gdbstub::stub::{DisconnectReason, GdbStub, MultiThreadStopReason};
use gdbstub::target::ext::base::reverse_exec::ReplayLogPosition;

use crate::debuggee::{Debuggee, Stop, identifier};
use crate::error::Error;
use crate::wire::Wire;

/// How a debugger has ended its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It has said that it goes.
    Detached,
    /// It ended the program.
    Killed,
    /// It went without a word, or was no debugger: another one may come.
    Lost,
}

/// A connection to a debugger: a socket, or what else can be read byte by byte.
pub type Client = dyn ConnectionExt<Error = io::Error>;

/// Serves a debugger until it ends its session. A packet that is not understood is answered with an error.
///
/// # Errors
/// When the recording cannot be read.
pub fn serve<'a>(debuggee: &mut Debuggee<'a>, connection: Box<Client>) -> Result<Ended, Error> {
    let mut wire = Wire::new(connection);
    debuggee.begin_session();
    loop {
        let error = match GdbStub::new(Line(&mut wire)).run_blocking::<Loop<'a, '_>>(debuggee) {
            Ok(DisconnectReason::Kill) => return Ok(Ended::Killed),
            Ok(_) => return Ok(Ended::Detached),
            Err(error) => error,
        };
        if error.is_target_error() {
            let error = error.into_target_error();
            return Err(error.unwrap_or(Error::Connection("it ended".into())));
        }
        if error.is_connection_error() || wire.begin_again().is_err() {
            return Ok(Ended::Lost);
        }
    }
}

/// A connection as `gdbstub` has it for as long as it understands what comes.
struct Line<'w>(&'w mut Wire);

impl Connection for Line<'_> {
    type Error = io::Error;

    fn write(&mut self, byte: u8) -> io::Result<()> {
        self.0.write(byte)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl ConnectionExt for Line<'_> {
    fn read(&mut self) -> io::Result<u8> {
        self.0.read()
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        self.0.peek()
    }
}

/// The loop over what the debugger sends and where the execution stops.
struct Loop<'a, 'w>(PhantomData<(&'a (), &'w ())>);

/// What is said of watchpoints when the execution goes on.
const WATCHPOINTS: &str = "\
The watchpoint stops nowhere: a trace has no values of variables. With a working set instead of the
trace, `set can-use-hw-watchpoints 0` before `watch` stops where they change.
";

type Reason = MultiThreadStopReason<u64>;

impl<'a, 'w> BlockingEventLoop for Loop<'a, 'w> {
    type Target = Debuggee<'a>;
    type Connection = Line<'w>;
    type StopReason = Reason;

    fn wait_for_stop_reason(
        debuggee: &mut Debuggee<'a>,
        connection: &mut Line<'w>,
    ) -> Result<Event<Reason>, WaitForStopReasonError<Error, io::Error>> {
        if debuggee.is_to_be_told_of_watchpoints() {
            connection.0.say(WATCHPOINTS).map_err(WaitForStopReasonError::Connection)?;
        }
        loop {
            if let Some(stop) = debuggee.run().map_err(WaitForStopReasonError::Target)? {
                if connection.0.wants_stack() {
                    let number = debuggee.thread_of(stop);
                    connection.0.set_stack(debuggee.stack_pieces(number));
                }
                return Ok(Event::TargetStopped(reason(debuggee, stop)));
            }
            let sent = connection.peek().map_err(WaitForStopReasonError::Connection)?;
            if sent.is_some() {
                let byte = connection.read().map_err(WaitForStopReasonError::Connection)?;
                return Ok(Event::IncomingData(byte));
            }
        }
    }

    fn on_interrupt(debuggee: &mut Debuggee<'a>) -> Result<Option<Reason>, Error> {
        let tid = identifier(debuggee.player().here().number);
        Ok(Some(MultiThreadStopReason::SignalWithThread { tid, signal: Signal::SIGINT }))
    }
}

fn reason(debuggee: &Debuggee<'_>, stop: Stop) -> Reason {
    let tid = identifier(debuggee.thread_of(stop));
    match stop {
        Stop::Breakpoint(_) => MultiThreadStopReason::SwBreak(tid),
        Stop::Step(_) => MultiThreadStopReason::SignalWithThread { tid, signal: Signal::SIGTRAP },
        Stop::Begin => {
            MultiThreadStopReason::ReplayLog { tid: Some(tid), pos: ReplayLogPosition::Begin }
        }
        Stop::End => {
            MultiThreadStopReason::ReplayLog { tid: Some(tid), pos: ReplayLogPosition::End }
        }
    }
}
