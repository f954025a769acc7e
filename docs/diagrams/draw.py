"""Draws the diagrams beside this file: *.dot with Graphviz, timing-*.json (WaveJSON) with WaveDrom, to SVG files that
are readable on light and on dark screens. SCHEME in a .dot file is the colour of the scheme that it is named after."""

import pathlib
import re
import subprocess
import sys

try:
    import wavedrom
    from lxml import etree
except ImportError:
    sys.exit("wavedrom and lxml are missing: run scripts/setup and have build/venv/bin on the path")

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
FOLDER = pathlib.Path(__file__).parent
COLOURS = FOLDER.parents[1] / "report/templates/schemes.css"

# A dark screen shows the drawing with its light and dark exchanged, and its hues kept.
STYLE = "@media screen and (prefers-color-scheme: dark) { .drawing { filter: invert(0.93) hue-rotate(180deg); } }"

# The scheme of a diagram that is named after something else.
SCHEMES = {"multicore": "mctraptor", "live_core": "traptor"}


def colour(scheme):
    found = re.search(rf"\.scheme-{scheme} {{ fill: (#[0-9a-f]{{6}})", COLOURS.read_text())
    if not found:
        sys.exit(f"{COLOURS.name} has no colour of {scheme}")
    return found[1]


def graph(source):
    text = source.read_text().replace("SCHEME", colour(SCHEMES.get(source.stem, source.stem)))
    drawn = subprocess.run(["dot", "-Tsvg"], input=text.encode(), stdout=subprocess.PIPE, check=True)
    return etree.fromstring(drawn.stdout)


def timing(source):
    root = etree.fromstring(wavedrom.render(source.read_text()).tostring().encode())
    # The skin defines every shape there is, most of the file: keep those in use.
    used = {use.get(LINK)[1:] for use in root.iter(SVG + "use")}
    for shapes in root.iter(SVG + "defs"):
        for shape in shapes.findall(SVG + "g"):
            if shape.get("id") not in used:
                shapes.remove(shape)
    return root


def for_all_screens(root):
    """Puts a white sheet under the drawing, and all of it into one group that a dark screen inverts."""
    drawing = etree.Element(SVG + "g", {"class": "drawing"})
    drawing.append(etree.Element(SVG + "rect", {"x": "0", "y": "0", "width": "100%", "height": "100%", "fill": "white"}))
    drawing.extend(list(root))
    style = etree.Element(SVG + "style")
    style.text = STYLE
    root.extend([style, drawing])
    return root


for source in sorted([*FOLDER.glob("*.dot"), *FOLDER.glob("timing-*.json")]):
    root = graph(source) if source.suffix == ".dot" else timing(source)
    source.with_suffix(".svg").write_bytes(etree.tostring(for_all_screens(root)) + b"\n")
