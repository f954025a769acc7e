//! Everything a design can have wrong, and how it is said.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

/// A test that a block of these items and this kernel is refused with this message.
///
/// The kernel comes with its attribute: what `hdl_gen` adds must see the same `self`.
macro_rules! refused {
    ($name:ident, { $($items:tt)* }, { $($kernel:tt)* }, $message:expr $(,)?) => {
        #[test]
        fn $name() {
            block! {
                Faulty("faulty") of ();
                $($items)*
            }
            impl Logic for Faulty {
                $($kernel)*
            }
            let error = elaborate(&Faulty::new(), &Options::new("top")).expect_err("a fault");
            assert_eq!(error.to_string(), $message);
        }
    };
}

mod assembly;
mod drivers;
mod fields;
mod names;
mod packed;
mod widths;
