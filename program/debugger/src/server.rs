//! Speaks GDB's remote protocol.

use std::io;

use gdbstub::common::Signal;
use gdbstub::conn::ConnectionExt;
use gdbstub::stub::run_blocking::{BlockingEventLoop, Event, WaitForStopReasonError};
use gdbstub::stub::{DisconnectReason, GdbStub, MultiThreadStopReason};
use gdbstub::target::ext::base::reverse_exec::ReplayLogPosition;

use crate::debuggee::{Debuggee, Stop, identifier};
use crate::error::Error;

/// How a debugger has ended its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It went away.
    Detached,
    /// It ended the program.
    Killed,
}

/// A connection to a debugger: a socket, or what else can be read byte by byte.
pub type Client = dyn ConnectionExt<Error = io::Error>;

/// Serves a debugger until it ends its session.
///
/// # Errors
/// When the connection fails, or the recording cannot be read.
pub fn serve<'a>(debuggee: &mut Debuggee<'a>, connection: Box<Client>) -> Result<Ended, Error> {
    match GdbStub::new(connection).run_blocking::<Loop<'a>>(debuggee) {
        Ok(DisconnectReason::Kill) => Ok(Ended::Killed),
        Ok(_) => Ok(Ended::Detached),
        Err(error) if error.is_target_error() => {
            Err(error.into_target_error().unwrap_or(Error::Connection("it ended".into())))
        }
        // A debugger that goes without a word has ended its session too.
        Err(error) if error.is_connection_error() => Ok(Ended::Detached),
        Err(error) => Err(Error::Connection(error.to_string())),
    }
}

/// The loop over what the debugger sends and where the execution stops.
struct Loop<'a>(std::marker::PhantomData<&'a ()>);

type Reason = MultiThreadStopReason<u64>;

impl<'a> BlockingEventLoop for Loop<'a> {
    type Target = Debuggee<'a>;
    type Connection = Box<Client>;
    type StopReason = Reason;

    fn wait_for_stop_reason(
        debuggee: &mut Debuggee<'a>,
        connection: &mut Box<Client>,
    ) -> Result<Event<Reason>, WaitForStopReasonError<Error, io::Error>> {
        loop {
            if let Some(stop) = debuggee.run().map_err(WaitForStopReasonError::Target)? {
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
