//! Events, accesses and states as records of fixed size, whose layout the package's numpy types state again.

use std::os::raw::c_int;
use std::slice;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use tracewright_sim::event::{Access, AccessSite, Event, ExecutionState, Kind};

use crate::array::Array;
use crate::error::TraceError;

/// Plain bytes without padding, of which any bits are a value.
///
/// # Safety
/// A type has `repr(C)`, no padding, and fields of which every pattern of bits is a value.
pub unsafe trait Plain: Copy + Send + Sync + 'static {}

/// An event.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct EventRecord {
    program_counter: u64,
    target: u64,
    instructions: u32,
    kind: u8,
    call: u8,
    is_return: u8,
    taken: u8,
    length: u8,
    thread: u8,
    unused: [u8; 6],
}

/// A memory access.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct AccessRecord {
    program_counter: u64,
    address: u64,
    /// The event that comes next in the trace.
    pub event: u64,
    instructions: u32,
    store: u8,
    thread: u8,
    unused: [u8; 2],
}

/// A state.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct StateRecord {
    context: u64,
    cause: u64,
    /// The event that comes next in the trace.
    pub event: u64,
    privilege: u8,
    has_cause: u8,
    unused: [u8; 6],
}

/// A record of an encoded trace.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct SentRecord {
    /// Offset of its first bit.
    pub first_bit: u64,
    /// The event with which it was sent.
    pub event: u64,
    /// Its bits.
    pub bits: u64,
}

/// A piece of a record: a field, or a chunk of one.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Piece {
    /// Its bits.
    pub value: u64,
    /// The number of the record.
    pub record: u64,
    /// Its number of bits.
    pub bits: u32,
    /// The number of the field.
    pub field: u32,
}

/// A retired instruction.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct InstructionRecord {
    /// Its address.
    pub program_counter: u64,
    /// The event that ends its run.
    pub event: u64,
}

// SAFETY: `repr(C)`, the fields fill the size without padding, and are unsigned integers.
unsafe impl Plain for EventRecord {}
// SAFETY: as above.
unsafe impl Plain for AccessRecord {}
// SAFETY: as above.
unsafe impl Plain for StateRecord {}
// SAFETY: as above.
unsafe impl Plain for SentRecord {}
// SAFETY: as above.
unsafe impl Plain for Piece {}
// SAFETY: as above.
unsafe impl Plain for InstructionRecord {}
// SAFETY: a number, of which any bits are a value.
unsafe impl Plain for f64 {}
// SAFETY: a byte.
unsafe impl Plain for u8 {}

impl EventRecord {
    /// The record of an event.
    #[inline(always)]
    pub fn new(event: Event) -> Self {
        Self {
            program_counter: event.program_counter,
            target: event.target,
            // A trace has at most 2^32 - 1 here.
            instructions: event.instructions as u32,
            kind: event.kind as u8,
            call: event.call.into(),
            is_return: event.is_return.into(),
            taken: event.taken.into(),
            length: event.length,
            thread: event.thread,
            unused: [0; 6],
        }
    }

    /// True for a call.
    pub fn is_call(&self) -> bool {
        self.call != 0
    }

    /// Sets the length to 0.
    pub fn forget_length(&mut self) {
        self.length = 0;
    }

    /// The event.
    ///
    /// # Errors
    /// When there is no such kind.
    pub fn event(&self) -> PyResult<Event> {
        let kind = Kind::from_code(self.kind).ok_or_else(|| {
            TraceError::new_err(format!("expected a kind from 0 to 4, found {}", self.kind))
        })?;
        Ok(Event {
            instructions: self.instructions.into(),
            program_counter: self.program_counter,
            target: self.target,
            kind,
            call: self.call != 0,
            is_return: self.is_return != 0,
            taken: self.taken != 0,
            length: self.length,
            thread: self.thread,
        })
    }
}

impl AccessRecord {
    /// The record of an access before this event.
    pub fn new(access: &Access, event: u64) -> Self {
        let Access { site, address } = *access;
        Self {
            program_counter: site.program_counter,
            address,
            event,
            instructions: site.instructions as u32,
            store: site.store.into(),
            thread: site.thread,
            unused: [0; 2],
        }
    }

    /// The access.
    pub fn access(&self) -> Access {
        let site = AccessSite {
            instructions: self.instructions.into(),
            program_counter: self.program_counter,
            store: self.store != 0,
            thread: self.thread,
        };
        Access { site, address: self.address }
    }
}

impl StateRecord {
    /// The record of a state before this event.
    pub fn new(state: &ExecutionState, event: u64) -> Self {
        let ExecutionState { context, privilege, cause } = *state;
        let has_cause = cause.is_some().into();
        Self { context, cause: cause.unwrap_or(0), event, privilege, has_cause, unused: [0; 6] }
    }

    /// The state.
    pub fn state(&self) -> ExecutionState {
        let cause = (self.has_cause != 0).then_some(self.cause);
        ExecutionState { context: self.context, privilege: self.privilege, cause }
    }
}

/// Something whose bytes a buffer has.
trait Bytes: Send + Sync {
    fn bytes(&self) -> &[u8];
}

impl<T: Plain> Bytes for Vec<T> {
    fn bytes(&self) -> &[u8] {
        // SAFETY: the records are plain, so each of their bytes is one.
        unsafe { slice::from_raw_parts(self.as_ptr().cast(), size_of_val(self.as_slice())) }
    }
}

impl<T: Plain> Bytes for Array<T> {
    fn bytes(&self) -> &[u8] {
        let records = self.as_slice();
        // SAFETY: the records are plain, so each of their bytes is one.
        unsafe { slice::from_raw_parts(records.as_ptr().cast(), size_of_val(records)) }
    }
}

/// Records or bytes that Python reads in place, by the buffer protocol.
#[pyclass(frozen, module = "tracewright._native")]
pub struct Buffer(Box<dyn Bytes>);

impl Buffer {
    /// The buffer of these records.
    pub fn new<T: Plain>(records: Vec<T>) -> Self {
        Self(Box::new(records))
    }

    /// The buffer of the records of an array.
    pub fn of_array<T: Plain>(records: Array<T>) -> Self {
        Self(Box::new(records))
    }
}

#[pymethods]
impl Buffer {
    fn __len__(&self) -> usize {
        self.0.bytes().len()
    }

    /// SAFETY: Python calls it with a view to be filled; the bytes live as long as the object, which the view holds.
    unsafe fn __getbuffer__(
        this: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let bytes = this.get().0.bytes();
        let (start, length) = (bytes.as_ptr().cast_mut().cast(), bytes.len() as ffi::Py_ssize_t);
        // SAFETY: the view is Python's, and the memory is told to be only for reading.
        let done = unsafe { ffi::PyBuffer_FillInfo(view, this.as_ptr(), start, length, 1, flags) };
        if done == 0 { Ok(()) } else { Err(PyErr::fetch(this.py())) }
    }
}

/// The records in an array's bytes, copied.
///
/// # Errors
/// When they are no whole number of records.
pub fn records_of<T: Plain>(py: Python<'_>, buffer: &PyBuffer<u8>) -> PyResult<Vec<T>> {
    let bytes = buffer.len_bytes();
    if !bytes.is_multiple_of(size_of::<T>()) {
        let size = size_of::<T>();
        return Err(PyValueError::new_err(format!(
            "expected records of {size} bytes, found {bytes} bytes"
        )));
    }
    let count = bytes / size_of::<T>();
    let mut records: Vec<T> = Vec::with_capacity(count);
    // SAFETY: the capacity is that of the slice, every bit pattern of its bytes is a value, and `copy_to_slice` fills all
    // of it or fails, after which the records are not used.
    unsafe {
        slice::from_raw_parts_mut(records.as_mut_ptr().cast::<u8>(), bytes).fill(0);
        buffer.copy_to_slice(py, slice::from_raw_parts_mut(records.as_mut_ptr().cast(), bytes))?;
        records.set_len(count);
    }
    Ok(records)
}
