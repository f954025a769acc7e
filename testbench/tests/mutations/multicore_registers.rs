//! What finds faults in several cores whose records come some cycles after their blocks, because tables are read at the clock edge.

use super::multicore;
use super::subject::Subject;

/// What `multicore` has, with queues of one record, so that cores wait while blocks are on their way, and a port that is
/// wide enough for everything else to be empty at a flush.
pub fn subject() -> Subject {
    let mut subject = multicore::subject();
    let changes =
        [("memory_style", "synchronous"), ("record_queue_depth", "1"), ("trace_port_width", "8")];
    changes.iter().for_each(|(name, value)| subject.design.set(name, value).unwrap());
    subject
}
