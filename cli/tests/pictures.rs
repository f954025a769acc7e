//! The pictures of docs/ have the colours of the schemes, and can be read on dark screens.

use std::fs;
use std::path::Path;

use tracewright_sim::scheme::Scheme;

fn pictures(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(folder);
    let files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let drawings = files.filter(|path| path.extension().is_some_and(|suffix| suffix == "svg"));
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, fs::read_to_string(path).expect("a picture"))
    };
    drawings.map(read).collect()
}

/// The colour of a scheme in the one table.
fn colour(scheme: &str) -> String {
    let table = include_str!("../../report/templates/schemes.css");
    let rule = format!(".scheme-{scheme} {{ fill: ");
    table.split(&rule).nth(1).expect("a colour")[..7].to_owned()
}

#[test]
fn diagrams_are_for_all_screens_and_in_the_colours_of_their_schemes() {
    let diagrams = pictures("diagrams");
    assert!(diagrams.len() >= 13);
    for (name, drawing) in &diagrams {
        assert!(drawing.contains("prefers-color-scheme: dark"), "{name}: run `make diagrams`");
    }
    let mut drawn = 0;
    for scheme in Scheme::all() {
        let file = if scheme.name() == "mctraptor" { "multicore" } else { scheme.name() };
        let Some((_, drawing)) = diagrams.iter().find(|(name, _)| name == file) else { continue };
        assert!(drawing.contains(&colour(scheme.name())), "{file}: run `make diagrams`");
        drawn += 1;
    }
    assert_eq!(drawn, 7, "a scheme has no diagram");
}

#[test]
fn plots_have_the_colours_of_the_table() {
    for (name, plot) in pictures("pictures") {
        let is_plot = plot.contains("class=\"plot\"");
        assert!(is_plot || name == "flame_graph", "{name}");
        for scheme in Scheme::all().iter().filter(|_| is_plot) {
            assert!(plot.contains(&colour(scheme.name())), "{name}: run `make pictures`");
        }
    }
}
