//! The functions of the C library that the standard library does not offer.
//!
//! The values are those of Linux on every processor but Alpha, MIPS, PA-RISC and SPARC.

use std::ffi::{c_int, c_long, c_uint, c_void};

#[cfg(any(target_arch = "mips", target_arch = "mips64", target_arch = "sparc64"))]
compile_error!("the numbers of this file are not those of this processor");

pub const CLONE_FILES: c_int = 0x400;
pub const MAP_ANONYMOUS: c_int = 0x20;
pub const MAP_FAILED: *mut c_void = usize::MAX as *mut c_void;
pub const MAP_FIXED: c_int = 0x10;
pub const MAP_NORESERVE: c_int = 0x4000;
pub const MAP_PRIVATE: c_int = 2;
pub const MAP_SHARED: c_int = 1;
pub const PROT_READ: c_int = 1;
pub const PROT_WRITE: c_int = 2;
pub const SIG_SETMASK: c_int = 2;
const CLOSE_RANGE: c_long = 436;

/// As large as the largest `sigset_t`, and aligned as it is.
#[repr(C)]
pub struct SignalSet([u64; 16]);

unsafe extern "C" {
    pub fn gettid() -> c_int;
    /// `offset` is an `off_t`, which has as many bits as a pointer unless a larger one was asked for.
    pub fn mmap(
        address: *mut c_void,
        length: usize,
        protection: c_int,
        flags: c_int,
        descriptor: c_int,
        offset: isize,
    ) -> *mut c_void;
    pub fn pthread_atfork(
        prepare: Option<unsafe extern "C" fn()>,
        parent: Option<unsafe extern "C" fn()>,
        child: Option<unsafe extern "C" fn()>,
    ) -> c_int;
    pub fn pthread_sigmask(how: c_int, set: *const SignalSet, old: *mut SignalSet) -> c_int;
    pub fn sigfillset(set: *mut SignalSet) -> c_int;
    pub fn unshare(flags: c_int) -> c_int;
    fn syscall(number: c_long, ...) -> c_long;
}

/// Closes the descriptors from `first` to `last`. Older C libraries have no function for it.
///
/// # Safety
/// Nobody uses these descriptors.
pub unsafe fn close_range(first: c_uint, last: c_uint) {
    // SAFETY: the caller's.
    unsafe { syscall(CLOSE_RANGE, first, last, 0 as c_uint) };
}
