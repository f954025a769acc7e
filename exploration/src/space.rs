//! The space that is searched: presets, and the values that each parameter can take.

use tracewright_cache::Hash;
use tracewright_sim::scheme::{Design, DesignError};
use tracewright_verification::trace::Addresses;

/// A parameter and its values, in the order in which a search steps through them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// The parameter.
    pub parameter: String,
    /// Its values, as `--set` takes them.
    pub values: Vec<String>,
}

/// Presets, and values for parameters of them.
#[derive(Clone, Debug)]
pub struct Space {
    presets: Vec<Design>,
    dimensions: Vec<Dimension>,
    /// The dimensions whose parameters each preset has.
    applicable: Vec<Vec<usize>>,
    /// The addresses of the traces: no design leaves out upper bits of targets that differ, unless the space says so.
    addresses: Addresses,
}

/// A place in a space: the number of a preset, and the number of a value for every dimension. The value of a parameter
/// that the preset does not have is 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// Number of the preset.
    pub preset: usize,
    /// Numbers of the values, in the order of the dimensions.
    pub values: Vec<usize>,
}

/// A design of a space.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The preset that it begins with.
    pub preset: Design,
    /// The design; its name is the preset's and, if it differs from the preset, a hash of its parameters.
    pub design: Design,
}

impl Space {
    /// A space. A parameter applies to the presets whose schemes have it.
    pub fn new(presets: Vec<Design>, dimensions: Vec<Dimension>) -> Self {
        let has = |preset: &Design, dimension: &Dimension| {
            preset.values().iter().any(|(name, _)| *name == dimension.parameter)
        };
        let numbered = || dimensions.iter().enumerate();
        let of_preset = |preset: &Design| {
            numbered().filter(|(_, one)| has(preset, one)).map(|(number, _)| number).collect()
        };
        let applicable = presets.iter().map(of_preset).collect();
        Self { presets, dimensions, applicable, addresses: Addresses::default() }
    }

    /// The presets with a value of each of their parameters in the space: what they take from a trace is what the space
    /// does not say.
    ///
    /// # Errors
    /// When a preset cannot have a value.
    pub fn followers(&self) -> Result<Vec<Design>, DesignError> {
        let follower = |(preset, applicable): (&Design, &Vec<usize>)| {
            let mut design = preset.clone();
            for Dimension { parameter, values } in
                applicable.iter().map(|one| &self.dimensions[*one])
            {
                values.first().map_or(Ok(()), |value| design.set(parameter, value))?;
            }
            Ok(design)
        };
        self.presets.iter().zip(&self.applicable).map(follower).collect()
    }

    /// Designs of the space leave out no upper bits of targets that differ in these addresses, unless the space says so.
    pub fn keep_targets(&mut self, addresses: &Addresses) {
        self.addresses = *addresses;
    }

    /// The presets.
    pub fn presets(&self) -> &[Design] {
        &self.presets
    }

    /// The parameters and their values.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// The numbers of the dimensions whose parameters a preset has.
    pub fn applicable(&self, preset: usize) -> &[usize] {
        self.applicable.get(preset).map_or(&[], Vec::as_slice)
    }

    /// Number of combinations, valid or not.
    pub fn size(&self) -> u128 {
        (0..self.presets.len()).map(|preset| self.size_of(preset)).fold(0, u128::saturating_add)
    }

    fn size_of(&self, preset: usize) -> u128 {
        let values = self.applicable(preset).iter().map(|one| self.dimensions[*one].values.len());
        values.fold(1, |product, values| product.saturating_mul(values as u128))
    }

    /// The combination of this number, which is below [`size`](Self::size).
    pub fn point(&self, mut number: u128) -> Point {
        let mut preset = 0;
        while preset + 1 < self.presets.len() && number >= self.size_of(preset) {
            number -= self.size_of(preset);
            preset += 1;
        }
        let mut values = vec![0; self.dimensions.len()];
        for dimension in self.applicable(preset) {
            let count = self.dimensions[*dimension].values.len() as u128;
            values[*dimension] = (number % count) as usize;
            number /= count;
        }
        Point { preset, values }
    }

    /// The design at a point.
    ///
    /// # Errors
    /// When the parameters break a constraint.
    pub fn candidate(&self, point: &Point) -> Result<Candidate, DesignError> {
        let preset = &self.presets[point.preset];
        let mut design = preset.clone();
        for dimension in self.applicable(point.preset) {
            let Dimension { parameter, values } = &self.dimensions[*dimension];
            design.set(parameter, &values[point.values[*dimension]])?;
        }
        let design = self.addresses.keep_targets(design);
        design.validate()?;
        Candidate::new(preset, design)
    }

    /// The preset as a design of the search: with the values of those parameters that have only one in the space, as
    /// far as it can have them.
    pub fn reference(&self, preset: usize) -> Candidate {
        let fixed = self.applicable(preset).iter().map(|one| &self.dimensions[*one]);
        let preset = self.presets[preset].clone();
        let mut design = preset.clone();
        for Dimension { parameter, values } in fixed {
            if let [value] = values.as_slice() {
                let mut changed = design.clone();
                if changed.set(parameter, value).and_then(|()| changed.validate()).is_ok() {
                    design = changed;
                }
            }
        }
        Candidate { preset, design: self.addresses.keep_targets(design) }
    }

    /// The same space with one more parameter, which has one value, at its place by name, as in the space of a file.
    pub fn with_fixed(&self, parameter: &str, value: &str) -> Self {
        let mut dimensions = self.dimensions.clone();
        let place = dimensions.partition_point(|one| one.parameter.as_str() < parameter);
        let fixed = Dimension { parameter: parameter.into(), values: vec![value.into()] };
        dimensions.insert(place, fixed);
        Self { addresses: self.addresses, ..Self::new(self.presets.clone(), dimensions) }
    }
}

impl Candidate {
    /// A preset with changed parameters, under the name that they give it.
    ///
    /// # Errors
    /// When the name is too long for a design.
    pub fn new(preset: &Design, design: Design) -> Result<Self, DesignError> {
        let preset = preset.clone();
        if design == preset {
            return Ok(Self { preset, design });
        }
        let name = varied_name(&preset.name, &identity(&design));
        Ok(Self { preset, design: design.renamed(&name)? })
    }

    /// The parameters that differ from the preset, and their values.
    pub fn changes(&self) -> Vec<(&'static str, String)> {
        let pairs = self.design.values().into_iter().zip(self.preset.values());
        let changed = pairs.filter(|((_, value), (_, preset))| value != preset);
        changed.map(|((name, value), _)| (name, value.to_string())).collect()
    }
}

/// The name of a design or predictor with other parameters than that with which it begins: what it is decides it.
pub fn varied_name(of: &str, identity: &str) -> String {
    let mut hash = Hash::default();
    hash.add(identity);
    format!("{of}-{}", &hash.finish()[..8])
}

/// What a design is, without its name: its scheme and every parameter.
pub fn identity(design: &Design) -> String {
    let mut text = design.scheme.name().to_owned();
    for (name, value) in design.stated_values() {
        text += &format!(" {name}={value}");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_number_is_a_point_of_its_own() {
        let dimension = |parameter: &str, values: &[&str]| Dimension {
            parameter: parameter.into(),
            values: values.iter().map(ToString::to_string).collect(),
        };
        let preset = |name| Design::preset(name).expect("a preset");
        // The second preset has the buffer alone.
        let space = Space::new(
            vec![preset("traptor-m4"), preset("nexs")],
            vec![
                dimension("gshare_entries", &["256", "512"]),
                dimension("pc_shift", &["2", "3", "4"]),
                dimension("fifo_bits", &["80", "160"]),
            ],
        );
        assert_eq!(space.size(), 12 + 2);
        let points: HashSet<Point> = (0..space.size()).map(|number| space.point(number)).collect();
        assert_eq!(points.len(), 14);
        assert_eq!(points.iter().filter(|point| point.preset == 1).count(), 2);
        let designs: HashSet<String> = points
            .iter()
            .map(|point| identity(&space.candidate(point).expect("a design").design))
            .collect();
        assert_eq!(designs.len(), 14);
    }
}
