//! Models of designs keep the upper bits of targets that differ in a trace.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tracewright_sim::event_limit::EventLimit;
use tracewright_sim::scheme::Design;
use tracewright_verification::Progress;
use tracewright_verification::measurement::{Measured, measure};
use tracewright_verification::trace::Addresses;

/// In the program's own region.
const NEAR: u64 = 0x1_2000;

/// In another one: the upper two of 32 bits are the same.
const FAR: u64 = 0x2000_0000;

/// A loop that calls each of these functions so often, one after the other.
fn trace(folder: &TempDir, name: &str, calls: &[(u64, usize)]) -> PathBuf {
    let mut text = String::from("machine arm alignment=2 address_bits=32\n");
    let mut first = 5;
    for (function, times) in calls {
        for _ in 0..*times {
            let _ = write!(
                text,
                "{first} indirect-jump 0x10010 call taken {function:#x}\n\
                 3 indirect-jump {:#x} return taken 0x10014\n\
                 2 direct-conditional 0x10018 taken 0x10004\n",
                function + 8
            );
            first = 4;
        }
    }
    let path = folder.path().join(name);
    fs::write(&path, text).expect("a file");
    path
}

fn design(preset: &str, elided: Option<&str>) -> Design {
    let mut design = Design::preset(preset).expect("a preset");
    if let Some(elided) = elided {
        design.set("elided_upper_bits", elided).expect("a parameter");
    }
    design
}

fn measured(designs: &[Design], trace: &Path) -> Vec<Measured> {
    let traces = [trace.to_owned()];
    measure(designs, &traces, EventLimit::default(), &Progress::silent()).expect("measurements")
}

/// The bits that differ show at the start, or late, when the designs have encoded most of the trace.
#[test]
fn regions_that_a_trace_has_are_kept_apart() {
    let folder = TempDir::new().expect("a folder");
    let early = trace(&folder, "early.txt", &[(FAR, 500)]);
    let late = trace(&folder, "late.txt", &[(NEAR, 20_000), (FAR, 500)]);
    for (preset, trace) in
        [("traptor-m4", &early), ("mctraptor-large-n1", &early), ("traptor-m4", &late)]
    {
        let designs = [design(preset, None), design(preset, Some("2")), design(preset, Some("12"))];
        let all = measured(&designs, trace);
        let [taken, kept, elided] = &all[..] else { panic!("three measurements") };
        let bits = all.iter().map(|one| one.elided_upper_bits).collect::<Vec<_>>();
        assert_eq!(bits, [Some(2), Some(2), Some(12)], "{preset}");
        assert_eq!((taken.bits, taken.events), (kept.bits, kept.events), "{preset}");
        assert_eq!(taken.instructions, kept.instructions);
        assert!(elided.bits > taken.bits + 4 * 500, "{preset}: {} {}", elided.bits, taken.bits);
        // One design alone, as a trace is given up only for those that change.
        assert_eq!(measured(&designs[..1], trace)[0].bits, taken.bits);
    }
}

#[test]
fn what_does_not_differ_changes_nothing() {
    let folder = TempDir::new().expect("a folder");
    let near = trace(&folder, "near.txt", &[(NEAR, 500)]);
    let far = trace(&folder, "far.txt", &[(FAR, 500)]);
    let designs = ["traptor-m4", "traptor-m0", "mctraptor-small-n1", "talon-s"]
        .map(|name| design(name, None));
    let of = |path| Addresses::of(path, designs.iter(), EventLimit::default()).expect("a trace");
    for one in &designs {
        assert_eq!(of(&near).fit(one.clone()), *one);
        assert_eq!(of(&near).and(&of(&near)).elided_upper_bits(one), None);
    }
    // Two traces together need what one of them needs.
    let both = of(&near).and(&of(&far));
    let elided = designs.each_ref().map(|one| both.elided_upper_bits(one));
    assert_eq!(elided, [Some(2), None, Some(2), None]);
    assert_eq!(both.elided_upper_bits(&design("traptor-m4", Some("12"))), None);
    assert_eq!(both.elided_upper_bits(&design("traptor-m4", Some("auto"))), None);
}

/// The width of addresses comes first: of 64 bits the upper ones are the same in a program and its libraries.
#[test]
fn the_upper_bits_are_those_of_the_width() {
    let folder = TempDir::new().expect("a folder");
    let path = trace(&folder, "far.txt", &[(0x7fff_f7a0_0000, 5), (NEAR, 5)]);
    let text = fs::read_to_string(&path).expect("a text");
    fs::write(&path, text.replace("address_bits=32", "address_bits=64")).expect("a file");
    let of = |one: &Design| {
        let addresses = Addresses::of(&path, [one].into_iter(), EventLimit::default());
        let fitted = addresses.expect("a trace").fit(one.clone());
        (fitted.processor().address_width, fitted.elided_upper_bits())
    };
    assert_eq!(of(&design("traptor-m4", None)), (64, Some(12)));
    let mut narrow = design("traptor-m4", None);
    narrow.set("address_width", "48").expect("a parameter");
    assert_eq!(of(&narrow), (48, Some(1)));
}
