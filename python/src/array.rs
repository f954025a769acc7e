//! Large arrays that grow in place, in large pages.
//!
//! For a new page of 4 kB the system takes as long as a reader for the events in it, and for large pages a sixth of that.
//! But they are lost where an array is moved as it grows. So a large array gets address space for far more than it will
//! need, and memory only for what is written.

use std::ptr::{self, NonNull};
use std::slice;

use crate::memory;
use crate::records::Plain;

/// Bytes of a small array, which is a vector's.
const SMALL: usize = 1 << 21;

/// Bytes of address space of a large array: the first of these that the system gives, or twice what there is.
const LARGE: [usize; 3] = [1 << 40, 1 << 36, 1 << 32];

/// Records for which there is space at first.
const FIRST: usize = 1 << 10;

/// Bytes by which a large array takes more of its address space, each time within the limit of memory.
const STEP: usize = 1 << 26;

/// Bytes of a page, or a multiple of them.
const PAGE: usize = 1 << 16;

/// Records one after the other.
pub struct Array<T: Plain> {
    start: NonNull<T>,
    length: usize,
    /// Records for which there is space that was taken.
    capacity: usize,
    /// Records for which there is address space.
    space: usize,
    /// The space of a small array; empty for a large one.
    small: Vec<T>,
}

// SAFETY: it owns its memory, and the records can go to other threads.
unsafe impl<T: Plain> Send for Array<T> {}
// SAFETY: it is only changed through a unique reference.
unsafe impl<T: Plain> Sync for Array<T> {}

impl<T: Plain> Default for Array<T> {
    fn default() -> Self {
        Self { start: NonNull::dangling(), length: 0, capacity: 0, space: 0, small: Vec::new() }
    }
}

impl<T: Plain> Array<T> {
    /// Adds a record.
    #[inline(always)]
    pub fn push(&mut self, record: T) {
        if self.length == self.capacity {
            self.grow();
        }
        // SAFETY: the place is within the space.
        unsafe { self.start.as_ptr().add(self.length).write(record) };
        self.length += 1;
    }

    /// The records.
    pub fn as_slice(&self) -> &[T] {
        // SAFETY: so many records were written.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }

    /// The records, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: so many records were written, and the reference is the only one.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }

    /// Gets more space, and takes the records there.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        if self.is_large() && self.capacity < self.space {
            return self.take();
        }
        let bytes = 2 * self.capacity * size_of::<T>();
        let mut larger = if bytes <= SMALL {
            let mut small: Vec<T> = Vec::with_capacity(FIRST.max(2 * self.capacity));
            let start = NonNull::new(small.as_mut_ptr()).unwrap_or(NonNull::dangling());
            let capacity = small.capacity();
            Self { start, length: 0, capacity, space: capacity, small }
        } else {
            let mut sizes = LARGE.into_iter().filter(|size| *size > bytes).chain([bytes]);
            let Some((start, size)) = sizes.find_map(|size| Some((map(size)?, size))) else {
                memory::exhausted();
            };
            use_large_pages(start, size);
            let space = size / size_of::<T>();
            let mut large =
                Self { start: start.cast(), length: 0, capacity: 0, space, small: Vec::new() };
            while large.capacity <= self.length {
                large.take();
            }
            large
        };
        // SAFETY: both have space for so many records, and do not overlap.
        unsafe {
            ptr::copy_nonoverlapping(self.start.as_ptr(), larger.start.as_ptr(), self.length);
        }
        larger.length = self.length;
        *self = larger;
    }

    /// Takes more of the address space of a large array, if the limit of memory allows it.
    fn take(&mut self) {
        let capacity = self.space.min(self.capacity + STEP / size_of::<T>());
        memory::claim((capacity - self.capacity) * size_of::<T>());
        self.capacity = capacity;
    }

    /// True if the space is mapped and not that of a vector.
    fn is_large(&self) -> bool {
        self.space > 0 && self.small.capacity() == 0
    }

    /// Gives back the space after the records.
    pub fn shrink(&mut self) {
        let used = (self.length * size_of::<T>()).next_multiple_of(PAGE);
        let all = self.space * size_of::<T>();
        if self.is_large() && used < all {
            // SAFETY: the space was mapped by this array, begins at a page, and has no records.
            unsafe { libc::munmap(self.start.as_ptr().cast::<u8>().add(used).cast(), all - used) };
            let capacity = used / size_of::<T>();
            memory::release(self.capacity.saturating_sub(capacity) * size_of::<T>());
            self.capacity = self.capacity.min(capacity);
            self.space = capacity;
        }
    }
}

impl<T: Plain> Drop for Array<T> {
    fn drop(&mut self) {
        if self.is_large() {
            // SAFETY: the space was mapped by this array, and nothing refers to it any more.
            unsafe { libc::munmap(self.start.as_ptr().cast(), self.space * size_of::<T>()) };
            memory::release(self.capacity * size_of::<T>());
        }
    }
}

/// Address space without memory, if the system gives so much.
fn map(bytes: usize) -> Option<NonNull<u8>> {
    let (access, kind) = (
        libc::PROT_READ | libc::PROT_WRITE,
        libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
    );
    // SAFETY: a new mapping changes no memory that is in use.
    let start = unsafe { libc::mmap(ptr::null_mut(), bytes, access, kind, -1, 0) };
    if start == libc::MAP_FAILED { None } else { NonNull::new(start.cast()) }
}

/// Asks for large pages; a system without them ignores it.
fn use_large_pages(start: NonNull<u8>, bytes: usize) {
    #[cfg(target_os = "linux")]
    // SAFETY: the space is mapped, and the advice changes none of its bytes.
    unsafe {
        libc::madvise(start.as_ptr().cast(), bytes, libc::MADV_HUGEPAGE);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, bytes);
}
