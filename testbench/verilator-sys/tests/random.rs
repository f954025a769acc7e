//! Random bits follow the seed. In a program of its own: a new seed restarts every thread.
#![cfg(verilated)]
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use verilator_sys::*;

fn draw(seed: i32) -> Vec<u64> {
    let context = verilated_context_new();
    assert!(!context.is_null());
    // SAFETY: the context is live until the call that frees it, and the only one in use.
    unsafe {
        verilated_context_enter(context);
        verilated_context_set_random_seed(context, seed);
        let bits = (0..16).map(|_| verilated_random()).collect();
        verilated_context_free(context);
        bits
    }
}

#[test]
fn the_same_seed_draws_the_same_bits() {
    let first = draw(7);
    assert_eq!(first, draw(7));
    assert_ne!(first, draw(8));
    assert!(first.windows(2).all(|pair| pair[0] != pair[1]));
}
