//! Names of functions as in the source.

use std::fmt::Write;
use std::time::{Duration, Instant};

use tracewright_view::mangling::{demangled, printable};

#[test]
fn names_of_c_stay_as_they_are() {
    // Each of them is a mangled type of C++.
    for name in ["w", "f", "i", "v", "x", "St", "_start", "__libc_start_main", "R", "_Z", "_R"] {
        assert_eq!(demangled(name), name);
    }
}

#[test]
fn names_of_cpp_and_rust_are_as_in_the_source() {
    for (name, expected) in [
        ("_ZN5shape4areaEv", "shape::area()"),
        (
            "_ZNSt6vectorIiSaIiEE9push_backEOi",
            "std::vector<int, std::allocator<int> >::push_back(int&&)",
        ),
        ("_ZdlPvm@plt", "operator delete(void*, unsigned long)@plt"),
        ("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt"),
        ("_RNvCskwGfYPst2Cb_3foo3bar", "foo::bar"),
    ] {
        assert_eq!(demangled(name), expected);
    }
}

/// A function whose every parameter is a pair of the one before, so that its name doubles with every ten characters.
fn doubled(parameters: u32) -> String {
    let mut name = String::from("_Z1fSt4pairIiiE");
    for parameter in 0..parameters {
        let before = std::char::from_digit(parameter, 36).expect("at most 36").to_ascii_uppercase();
        write!(name, "S_IS{before}_S{before}_E").expect("text");
    }
    name
}

#[test]
fn a_name_that_would_fill_the_memory_stays_mangled() {
    let readable = demangled(&doubled(2));
    let pair = "std::pair<int, int>";
    assert!(readable.starts_with(&format!("f({pair}, std::pair<{pair}, {pair} >")), "{readable}");
    assert!(demangled(&doubled(8)).len() > 4_000);
    let begin = Instant::now();
    assert_eq!(demangled(&doubled(36)), doubled(36));
    assert!(begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
}

#[test]
fn control_characters_are_escaped() {
    assert_eq!(demangled("main\nend_of_record"), "main\\u{a}end_of_record");
    assert_eq!(printable("\u{1b}[31mred"), "\\u{1b}[31mred");
    assert_eq!(printable("plain name"), "plain name");
}
