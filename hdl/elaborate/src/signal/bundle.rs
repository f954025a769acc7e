//! Bundles: ports that belong together and are connected whole.

use super::offer::{Marker, Offer, offer};
use rust_hdl::core::ast::{VerilogLink, VerilogLinkDetails};
use rust_hdl::core::prelude::Probe;

/// Two bundles of one kind that can be connected.
pub trait Join<To> {
    /// Connects every member: the forward ones from `self` to `to`, the others back.
    fn join(&mut self, to: &mut To);
}

/// Connects two bundles whole: `connect::join(&mut self.queue.output, &mut self.encoder.record)`.
///
/// The forward members go from the first to the second, the backward members from the second to the first.
/// The second may be connected on later in the kernel, so the backward members are there after the kernel's
/// last statement; a kernel that reads one reads it at the port where it starts.
pub fn join<To, From: Join<To>>(from: &mut From, to: &mut To) {
    from.join(to);
}

/// The same for the syntax tree: RustHDL's `hdl_gen` calls it with the names of both bundles.
pub fn join_hdl(_: &str, from: &str, to: &str) -> Vec<VerilogLink> {
    vec![VerilogLink::Forward(VerilogLinkDetails {
        my_name: from.into(),
        owner_name: String::new(),
        other_name: to.into(),
    })]
}

/// Shows a probe that the members of a bundle follow.
pub fn offer_bundle(name: &str, members: &[(&str, bool)], probe: &mut dyn Probe) {
    let members =
        members.iter().map(|(member, forward)| ((*member).to_owned(), *forward)).collect();
    offer(name, &Marker, Offer::Bundle(members), probe);
}
