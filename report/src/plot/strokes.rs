//! Colours and patterns of lines.

use tracewright_sim::preset;
use tracewright_sim::scheme::Design;

/// Colours of lines that belong to no scheme.
const COLOURS: usize = 13;

/// Patterns of the lines of one scheme.
const PATTERNS: usize = 8;

/// The classes of a line for each name. Where all are presets a line has the colour of its scheme and a pattern of its
/// own; otherwise every line has a colour of its own.
pub fn strokes(names: &[&str]) -> Vec<String> {
    let schemes: Option<Vec<&str>> = names.iter().map(|name| scheme(name)).collect();
    let Some(schemes) = schemes else {
        return (0..names.len()).map(|index| format!("s{}", 1 + index % COLOURS)).collect();
    };
    let stroke = |(index, scheme): (usize, &&str)| {
        let before = schemes[..index].iter().filter(|other| *other == scheme).count();
        format!("scheme-{scheme} k{}", before % PATTERNS)
    };
    schemes.iter().enumerate().map(stroke).collect()
}

/// The scheme of a preset.
fn scheme(name: &str) -> Option<&'static str> {
    preset::all().find(|preset| preset.name == name)?;
    Some(Design::preset(name).ok()?.scheme.name())
}

#[cfg(test)]
mod tests {
    use tracewright_sim::scheme::Scheme;

    use super::strokes;
    use crate::plot::STYLE;

    #[test]
    fn presets_have_the_colours_of_their_schemes() {
        let presets = strokes(&["traptor-m4", "nexs", "traptor-b4"]);
        assert_eq!(presets, ["scheme-traptor k0", "scheme-nexus k0", "scheme-traptor k1"]);
        assert_eq!(strokes(&["traptor-m4", "sha"]), ["s1", "s2"]);
    }

    #[test]
    fn every_scheme_has_a_colour_of_its_own() {
        let colour = |name: &str| STYLE.split(&format!(".scheme-{name} {{ fill: ")).nth(1);
        let mut colours: Vec<&str> = Scheme::all()
            .iter()
            .map(|scheme| &colour(scheme.name()).expect("a colour")[..7])
            .collect();
        colours.sort_unstable();
        colours.dedup();
        assert_eq!(colours.len(), Scheme::all().len());
    }
}
