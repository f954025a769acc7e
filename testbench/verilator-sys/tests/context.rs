//! The run time that was built is the one that was found, and its contexts work.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

#[cfg(not(verilated))]
#[test]
fn verilator_is_installed() {
    panic!("{}", verilator_sys::UNAVAILABLE.unwrap_or("verilator-sys has no reason"));
}

#[cfg(verilated)]
mod verilated {
    use std::ffi::CStr;
    use std::path::Path;
    use verilator_sys::*;

    /// A context that ends with the test.
    struct Context(*mut VerilatedContext);

    impl Context {
        fn new() -> Context {
            let context = verilated_context_new();
            assert!(!context.is_null());
            Context(context)
        }
    }

    impl Drop for Context {
        fn drop(&mut self) {
            // SAFETY: the pointer is from `verilated_context_new` and no model uses it.
            unsafe { verilated_context_free(self.0) }
        }
    }

    #[test]
    fn constants_describe_what_is_installed() {
        assert_eq!(UNAVAILABLE, None);
        let include = Path::new(INCLUDE.expect("INCLUDE"));
        assert!(include.join("verilated.h").is_file());
        assert!(Path::new(ROOT.expect("ROOT")).is_dir());
        let archive = ARCHIVE.expect("ARCHIVE");
        assert!(archive.starts_with(b"!<arch>\n"), "an ar archive");
        assert!(archive.len() > 100_000, "{} bytes", archive.len());
    }

    #[test]
    fn the_linked_run_time_is_the_version_of_the_constant() {
        // SAFETY: a static C string.
        let version = unsafe { CStr::from_ptr(verilated_product_version()) };
        let version = version.to_str().expect("ASCII");
        let expected = format!("{} ", VERSION.expect("VERSION"));
        assert!(version.starts_with(&expected), "{version}");
    }

    #[test]
    fn contexts_are_separate() {
        let (first, second) = (Context::new(), Context::new());
        // SAFETY: both contexts are live to the end of the function.
        unsafe {
            verilated_context_set_time(first.0, 17);
            verilated_context_set_random_reset(first.0, 2);
            verilated_context_set_random_seed(second.0, 99);
            assert_eq!(verilated_context_time(first.0), 17);
            assert_eq!(verilated_context_time(second.0), 0);
            assert_eq!(verilated_context_random_reset(first.0), 2);
            assert_eq!(verilated_context_random_reset(second.0), 0);
            assert_eq!(verilated_context_random_seed(second.0), 99);
            assert_ne!(verilated_context_random_seed(first.0), 99);
            assert_eq!(verilated_context_finished(first.0), 0);
        }
    }
}
