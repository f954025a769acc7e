//! Do the tests notice? One fault at a time is put around adapter and trace module, and each has to be found.

use super::{Case, cases, check, dead_sink, never_pauses};
use crate::control::fault_lists::{Fault, SWITCH, SWITCH_OF_DROPS};
use crate::control::faults::find_each;

#[test]
fn every_fault_of_the_switch_is_found() {
    let lists: [(Case, &[Fault]); 2] = [(cases()[1], SWITCH), (never_pauses(), SWITCH_OF_DROPS)];
    for (case, faults) in lists {
        let design = case.design();
        find_each(&case.whole(&design), faults, |generated, options| {
            check(&case, (generated, &design), options, 1)?;
            if !case.waits() {
                return Ok(());
            }
            dead_sink::check(&case, (generated, &design), options)?;
            dead_sink::slow(&case, (generated, &design), options)
        });
    }
}
