//! What finds faults in stream cache and N-tuple with tables that are read through registers.

use super::streams;
use super::subject::Subject;
use super::tuple_search;

/// What `streams` has of the stream cache, with its tables in memories.
pub fn stream_cache() -> Subject {
    let mut subject = streams::stream_cache();
    subject.design.set("memory_style", "synchronous").unwrap();
    subject
}

/// What `tuple_search` has of N-tuple, with the tables of its stream cache in memories, too.
pub fn ntuple() -> Subject {
    let mut subject = tuple_search::subject();
    subject.design.set("memory_style", "synchronous").unwrap();
    subject
}
