//! Where an instruction led: the rule of the adapters and of imports.
//!
//! The word says where an instruction can lead. The address of the next instruction that retires says where the flow has gone
//! on. What else a port says is taken where it can be, and never needed:
//!
//! | instruction | it led | else |
//! |---|---|---|
//! | sequential | to the following address | the same, and the flow was diverted |
//! | direct jump | to its target | the same, and the flow was diverted |
//! | direct conditional | to the next address, if that is its target or the following one | to its target if the port says just that, else to the following address, and the flow was diverted |
//! | indirect jump | to where the port says it led, and the flow was diverted if the next address is another one; without that, to the next address | to where the port says it led if the next instruction begins a handler |
//! | return from a trap | to the next address | to where the port says it led if the next instruction begins a handler |
//!
//! So an indirect jump of a port without the next address, or with the handler in its place, that is interrupted has jumped to
//! the handler: nothing says where it would have gone.

use crate::event::Kind;

/// What is known of an instruction when it retires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retired {
    /// Its kind, `None` for one that is followed by the next one.
    pub kind: Option<Kind>,
    /// Where it goes, if it is direct and taken.
    pub target: u64,
    /// The following address.
    pub fall_through: u64,
    /// The following address if it is shorter than that, where its length is not known.
    pub shorter: Option<u64>,
    /// Where the port says that it led.
    pub said: Option<u64>,
    /// It returns from a trap.
    pub trap_return: bool,
}

/// What an instruction did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Where it led, if that is not the following address.
    pub target: Option<u64>,
    /// The flow was diverted after it.
    pub diverted: bool,
}

impl Retired {
    /// True if `address` follows the instruction. Of two addresses the port says which it is, if it says one.
    pub fn is_followed_by(&self, address: u64) -> bool {
        match self.shorter {
            None => address == self.fall_through,
            Some(shorter) => {
                let may = address == self.fall_through || address == shorter;
                may && self.said.is_none_or(|said| said == address)
            }
        }
    }

    /// True if the port says that it led where it can lead; an indirect jump can lead anywhere.
    pub fn leads_where_it_says(&self) -> bool {
        let Some(said) = self.said else { return false };
        match self.kind {
            None | Some(Kind::Exception) => self.is_followed_by(said),
            Some(Kind::DirectJump) => said == self.target,
            Some(Kind::DirectConditional) => said == self.target || self.is_followed_by(said),
            Some(_) => true,
        }
    }

    /// What the instruction did if the next one that retires is at `next`, and begins a handler or not.
    pub fn outcome(&self, next: u64, is_handler: bool) -> Outcome {
        let to = |target| Outcome { target: Some(target), diverted: is_handler || next != target };
        match self.kind {
            None => Outcome { target: None, diverted: is_handler || !self.is_followed_by(next) },
            Some(Kind::DirectJump) => to(self.target),
            Some(Kind::DirectConditional) => self.conditional(next, is_handler),
            Some(_) if self.trap_return && !is_handler => to(next),
            Some(Kind::IndirectJump) => to(self.said.unwrap_or(next)),
            Some(Kind::IndirectConditional | Kind::Exception) => match self.said.unwrap_or(next) {
                target if self.is_followed_by(target) => {
                    let diverted = is_handler || next != target;
                    Outcome { target: None, diverted }
                }
                target => to(target),
            },
        }
    }

    fn conditional(&self, next: u64, is_handler: bool) -> Outcome {
        let goes_on = !is_handler && self.is_followed_by(next);
        // Of a branch of unknown length to one of the two addresses after it, the target is certain.
        let is_exact = self.shorter.is_none() || next != self.target;
        if goes_on && is_exact {
            return Outcome { target: None, diverted: false };
        }
        let jumps = !is_handler && next == self.target;
        let target = (jumps || self.says_taken()).then_some(self.target);
        Outcome { target, diverted: !jumps }
    }

    /// True if the port says that a direct branch led to its target.
    fn says_taken(&self) -> bool {
        self.said == Some(self.target)
    }

    /// What the instruction did as far as it is known without a next one: `None` where only that would say it.
    pub fn alone(&self) -> Option<Outcome> {
        let target = match (self.kind, self.said) {
            (None, _) => None,
            (Some(Kind::DirectJump), _) => Some(self.target),
            (Some(_), None) => return None,
            (Some(Kind::DirectConditional), _) => self.says_taken().then_some(self.target),
            (Some(Kind::IndirectJump), said) => said,
            (Some(_), Some(said)) => (!self.is_followed_by(said)).then_some(said),
        };
        Some(Outcome { target, diverted: false })
    }
}
