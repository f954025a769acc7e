//! Kernels that only their source gives away.

use tracewright_elaborate::{Error, check_kernel_source};

const KERNEL: &str = "
fn elsewhere() {
    for i in 0..=1 {}
}
impl Logic for Taps {
    #[rust_hdl::prelude::hdl_gen]
    #[rustfmt::skip]
    fn update(&mut self) {
        if self.a.val().any() {
            for i in 0 ..= 3 { self.b.next = i.into(); }
        }
    }
}
";

#[test]
fn an_inclusive_range_in_a_kernel() {
    let error = check_kernel_source(KERNEL, "src/taps.rs").expect_err("a fault");
    assert_eq!(error, Error::InclusiveRange { file: "src/taps.rs".into(), line: 10 });
    assert_eq!(check_kernel_source(&KERNEL.replace("0 ..= 3", "0..4"), "src/taps.rs"), Ok(()));
}

#[test]
fn a_source_that_is_not_rust() {
    let error = check_kernel_source("fn main() {\n    (]\n}", "x.rs").expect_err("a fault");
    assert!(error.to_string().starts_with("x.rs:2: "), "{error}");
}

#[test]
fn the_kernels_of_these_tests() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/equality");
    for entry in std::fs::read_dir(directory).expect("a readable directory") {
        let path = entry.expect("a readable entry").path();
        let source = std::fs::read_to_string(&path).expect("a readable file");
        assert_eq!(check_kernel_source(&source, &path.display().to_string()), Ok(()));
    }
}
