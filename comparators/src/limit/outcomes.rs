//! Outcomes: predictions in 16 contexts, mixed in the logistic domain, then refined by what became of such mixtures.

/// Contexts.
const CONTEXTS: usize = 16;

/// Inputs of a mixer: the contexts and a constant.
const INPUTS: usize = CONTEXTS + 1;

/// Binary logarithm of the predictions that all contexts share.
const SLOT_BITS: u32 = 24;

/// Outcomes of all branches that some contexts have.
const GLOBAL_LENGTHS: [u32; 8] = [2, 5, 8, 12, 17, 24, 34, 50];

/// Outcomes of the same branch that some contexts have.
const LOCAL_LENGTHS: [u32; 3] = [6, 14, 30];

/// A prediction: its probability in the upper 22 bits, how often it was used in the lower 10.
const COUNT_BITS: u32 = 10;
const MOST_USES: u32 = 1000;
const SCALE: f32 = (1u32 << 22) as f32;

/// Steps of the table of logits.
const LOGIT_STEPS: usize = 4096;

/// Branches are spread over so many mixers and refinements.
const MIXERS: usize = 1 << 12;

/// Buckets of a refinement, from the logit -12 to 12.
const BUCKETS: usize = 33;
const LARGEST_LOGIT: f32 = 12.0;

/// How fast mixers and refinements learn.
const MIXER_RATE: f32 = 0.02;
const REFINEMENT_RATE: f32 = 0.02;

/// What one branch did.
#[derive(Clone, Copy, Debug, Default)]
struct Local {
    history: u64,
    /// Length of the run of equal outcomes at hand, and of the one before.
    run: u32,
    last_run: u32,
}

/// The model of outcomes.
pub struct Outcomes {
    slots: Vec<u32>,
    locals: Vec<Local>,
    mixers: Vec<[f32; INPUTS]>,
    refinements: Vec<[f32; BUCKETS]>,
    logits: Vec<f32>,
    global: u128,
    path: u64,
}

fn hash(one: u64, other: u64) -> u64 {
    let mixed = (one ^ other.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

fn squash(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

impl Outcomes {
    /// Nothing learned.
    pub fn new() -> Self {
        let logit = |step: usize| {
            let probability = (step as f32 + 0.5) / LOGIT_STEPS as f32;
            (probability / (1.0 - probability)).ln()
        };
        let bucket = |place: usize| {
            let share = place as f32 / (BUCKETS - 1) as f32;
            squash(LARGEST_LOGIT * (2.0 * share - 1.0))
        };
        Self {
            slots: vec![0; 1 << SLOT_BITS],
            locals: vec![Local::default(); MIXERS],
            mixers: vec![[0.3; INPUTS]; MIXERS],
            refinements: vec![std::array::from_fn(bucket); MIXERS],
            logits: (0..LOGIT_STEPS).map(logit).collect(),
            global: 1,
            path: 0,
        }
    }

    /// Follows an indirect branch.
    pub fn path(&mut self, target: u64) {
        self.path = hash(self.path << 8, target);
    }

    /// The slots of a branch's contexts.
    fn contexts(&self, address: u64, local: Local) -> [usize; CONTEXTS] {
        let recent = |length: u32| self.global & ((1 << length) - 1);
        let mut contexts = [0u64; CONTEXTS];
        let mut place = 1;
        for length in GLOBAL_LENGTHS {
            contexts[place] = recent(length) as u64;
            place += 1;
        }
        contexts[place] = hash(self.global as u64, (self.global >> 64) as u64);
        place += 1;
        for length in LOCAL_LENGTHS {
            contexts[place] = local.history & ((1 << length) - 1);
            place += 1;
        }
        contexts[place] = u64::from(local.run) << 32 | u64::from(local.last_run);
        contexts[place + 1] = self.path;
        contexts[place + 2] = hash(self.path, recent(10) as u64);
        let mut number = 0;
        contexts.map(|context| {
            number += 1;
            (hash(hash(address, number), context) >> (64 - SLOT_BITS)) as usize
        })
    }

    /// Bits of an outcome, which is learned.
    pub fn code(&mut self, address: u64, taken: bool) -> f64 {
        let branch = (hash(address, 0) >> 32) as usize % MIXERS;
        let local = self.locals[branch];
        let slots = self.contexts(address, local);
        let mut inputs = [0.4; INPUTS];
        for (input, slot) in inputs.iter_mut().zip(slots) {
            // A slot that was never used is 0, and says nothing.
            let slot = self.slots[slot];
            let probability = ((slot >> COUNT_BITS) as usize * LOGIT_STEPS) >> (32 - COUNT_BITS);
            *input = if slot == 0 { 0.0 } else { self.logits[probability] };
        }
        let weights = &mut self.mixers[branch];
        let sum: f32 = inputs.iter().zip(&*weights).map(|(input, weight)| input * weight).sum();
        let logit = sum.clamp(-LARGEST_LOGIT, LARGEST_LOGIT);
        let mixed = squash(logit);
        let outcome = if taken { 1.0 } else { 0.0 };
        let step = MIXER_RATE * (outcome - mixed);
        weights.iter_mut().zip(inputs).for_each(|(weight, input)| *weight += step * input);

        let place = (logit / LARGEST_LOGIT + 1.0) / 2.0 * (BUCKETS - 1) as f32;
        let (below, share) = ((place as usize).min(BUCKETS - 2), place.fract());
        let buckets = &mut self.refinements[branch];
        let refined = buckets[below] * (1.0 - share) + buckets[below + 1] * share;
        for (bucket, share) in [(below, 1.0 - share), (below + 1, share)] {
            buckets[bucket] += REFINEMENT_RATE * share * (outcome - buckets[bucket]);
        }
        let probability = (mixed + refined) / 2.0;
        let probability = if taken { probability } else { 1.0 - probability };

        self.learn(slots, taken);
        self.locals[branch] = after(local, taken);
        self.global = self.global << 1 | u128::from(taken);
        -f64::from(probability.max(1e-7)).log2()
    }

    fn learn(&mut self, slots: [usize; CONTEXTS], taken: bool) {
        let outcome = if taken { SCALE - 1.0 } else { 0.0 };
        for slot in slots {
            let slot = &mut self.slots[slot];
            let uses = *slot & ((1 << COUNT_BITS) - 1);
            let old = if uses == 0 { SCALE / 2.0 } else { (*slot >> COUNT_BITS) as f32 };
            let new = old + (outcome - old) / (uses as f32 + 1.5);
            *slot = (new as u32) << COUNT_BITS | (uses + 1).min(MOST_USES);
        }
    }
}

fn after(local: Local, taken: bool) -> Local {
    let same = (local.history & 1 == 1) == taken;
    Local {
        history: local.history << 1 | u64::from(taken),
        run: if same { local.run + 1 } else { 1 },
        last_run: if same { local.last_run } else { local.run },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(outcomes: impl Iterator<Item = bool>) -> f64 {
        let mut model = Outcomes::new();
        outcomes.map(|taken| model.code(0x1000, taken)).sum()
    }

    /// A pattern is learned; what no context tells costs a bit each.
    #[test]
    fn patterns_cost_nothing_and_chance_a_bit() {
        let pattern = bits((0..20_000).map(|place| place % 7 == 0));
        assert!(pattern < 100.0, "{pattern}");
        let mut state = 1u64;
        let chance = bits((0..20_000).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 63 == 1
        }));
        assert!((19_900.0..23_000.0).contains(&chance), "{chance}");
    }
}
