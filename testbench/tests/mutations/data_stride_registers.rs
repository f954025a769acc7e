//! What finds faults in the data address compressor with a stride cache that is read at the clock edge.

use tracewright_sim::event::Access;

use super::data_stride;
use super::subject::Subject;

/// What `data_stride` has, with the tables in memories and a port that is wide enough for an access to leave right after
/// a miss.
pub fn subject() -> Subject<Access> {
    let mut subject = data_stride::subject();
    let changes =
        [("memory_style", "synchronous"), ("trace_port_width", "16"), ("record_queue_depth", "4")];
    changes.iter().for_each(|(name, value)| subject.design.set(name, value).unwrap());
    subject
}
