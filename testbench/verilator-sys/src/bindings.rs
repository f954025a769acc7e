//! The functions of `native/verilated_c.h`.

use core::ffi::{c_char, c_int};
use core::marker::{PhantomData, PhantomPinned};

/// A simulation context: time, random seed and flags that the models built on it share.
///
/// Only ever after a pointer from [`verilated_context_new`].
#[repr(C)]
pub struct VerilatedContext {
    _opaque: [u8; 0],
    _not_send_sync_unpin: PhantomData<(*mut u8, PhantomPinned)>,
}

unsafe extern "C" {
    /// The version of the run time and its date, such as `5.006 2023-01-22`, as a static C string.
    pub safe fn verilated_product_version() -> *const c_char;

    /// A new context, also made the current one of this thread; null when memory is exhausted.
    pub safe fn verilated_context_new() -> *mut VerilatedContext;

    /// Ends a context.
    ///
    /// # Safety
    /// `context` comes from [`verilated_context_new`], is not used again, and no model uses it.
    pub fn verilated_context_free(context: *mut VerilatedContext);

    /// Makes this context the current one of this thread.
    ///
    /// # Safety
    /// `context` is live, and stays so until the thread enters another or makes no more calls.
    pub fn verilated_context_enter(context: *mut VerilatedContext);

    /// Sets what registers and memories without a reset start with: 0 zeros, 1 ones, 2 random bits.
    ///
    /// # Safety
    /// `context` is live.
    pub fn verilated_context_set_random_reset(context: *mut VerilatedContext, mode: c_int);

    /// What [`verilated_context_set_random_reset`] set, 0 at first.
    ///
    /// # Safety
    /// `context` is live.
    pub fn verilated_context_random_reset(context: *const VerilatedContext) -> c_int;

    /// Sets the seed of the random bits, 1 to 2^31 - 1.
    ///
    /// The generator is one per thread and starts again at the next draw of *every* thread, so
    /// reproducible models are to be constructed under one lock.
    ///
    /// # Safety
    /// `context` is live.
    pub fn verilated_context_set_random_seed(context: *mut VerilatedContext, seed: c_int);

    /// What [`verilated_context_set_random_seed`] set.
    ///
    /// # Safety
    /// `context` is live.
    pub fn verilated_context_random_seed(context: *const VerilatedContext) -> c_int;

    /// 64 random bits from the seed of the context current on this thread, as `$random` draws them.
    ///
    /// # Safety
    /// The context current on this thread is live.
    pub fn verilated_random() -> u64;

    /// Sets the simulation time, in units of the time precision.
    ///
    /// # Safety
    /// `context` is live.
    pub fn verilated_context_set_time(context: *mut VerilatedContext, time: u64);

    /// The simulation time, in units of the time precision.
    ///
    /// # Safety
    /// `context` is live.
    pub fn verilated_context_time(context: *const VerilatedContext) -> u64;

    /// Nonzero once a model executed `$finish`.
    ///
    /// # Safety
    /// `context` is live.
    pub fn verilated_context_finished(context: *const VerilatedContext) -> c_int;
}
