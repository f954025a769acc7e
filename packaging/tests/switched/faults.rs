//! Do the tests notice? One fault at a time is put around adapter and trace module, and each has to be found.

use tracewright_hdl::Fault;

use super::{cases, check, dead_sink, never_pauses, of_lanes};
use crate::control::faults::{find_those, with_faults};

#[test]
fn every_fault_of_the_switch_is_found() {
    for (bench, case) in [("switched", cases()[1]), ("switched-drops", never_pauses())] {
        let design = case.design();
        let generated = with_faults(&design, None, Some(case.ingress), None);
        let generated = of_lanes(&case, generated, &design);
        // A core that never pauses is there for how long it is waited for.
        let is_tried = |fault: &Fault| case.waits() || fault.signal == "waits";
        find_those(bench, &generated, is_tried, |library| {
            check(&case, (library, &design), 1)?;
            if !case.waits() {
                return Ok(());
            }
            dead_sink::check(&case, (library, &design))?;
            dead_sink::slow(&case, (library, &design))
        });
    }
}
