//! Whether a core has compressed instructions at all.

use super::*;

/// A core without compressed instructions, after enough rows to say so.
#[test]
fn without_compressed_instructions() {
    let random = &mut ChaCha8Rng::seed_from_u64(1);
    let how = Conventions {
        words: Words::Raw,
        next: Next::Own,
        trap: generator::Trap::Bit { own: false },
        interrupt: true,
        sometimes: false,
    };
    let rates = Rates { interrupts: 10, debugger: 0 };
    for (rows, alignment) in [(1000, 2), (100, 1)] {
        let rows = generator::shown(&generator::execution(1, rows, false, rates), how, random);
        let checked = check(table(&rows, how, true, random).as_bytes(), &Options::default());
        assert_eq!(checked.report.settings.alignment, alignment);
        assert_eq!(checked.report.advice, []);
    }
}
