//! The encoder of a scheme, which knows events, memory accesses and the end of a trace, and nothing else.

use crate::event::{Access, Event};
use crate::field::Sink;

/// A golden encoder.
pub trait GoldenEncoder {
    /// Why an event or access cannot be encoded; [`Infallible`](std::convert::Infallible) where the caller has checked
    /// it.
    type Error;

    /// Encodes one event; a call must have its length.
    ///
    /// # Errors
    /// When the design cannot trace it. Nothing was sent then.
    fn event<S: Sink>(&mut self, event: &Event, sink: &mut S) -> Result<(), Self::Error>;

    /// Encodes one memory access, which sends nothing where control flow is traced.
    ///
    /// # Errors
    /// When the design cannot trace it. Nothing was sent then.
    fn access<S: Sink>(&mut self, access: &Access, sink: &mut S) -> Result<(), Self::Error>;

    /// Ends the trace, or a part of it.
    fn flush<S: Sink>(&mut self, sink: &mut S);
}

/// Says of an encoder of control flow that memory accesses are not in its trace.
macro_rules! no_accesses {
    () => {
        /// Memory accesses are not in the trace.
        #[inline]
        fn access<S: $crate::field::Sink>(
            &mut self,
            _: &$crate::event::Access,
            _: &mut S,
        ) -> Result<(), Self::Error> {
            Ok(())
        }
    };
}

pub(crate) use no_accesses;
