"""Draws the timing diagrams: docs/diagrams/timing-*.json (WaveJSON) to SVG files beside them."""

import pathlib
import sys

try:
    import wavedrom
    from lxml import etree
except ImportError:
    sys.exit("wavedrom and lxml are missing: run scripts/setup and have build/venv/bin on the path")

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"

for source in sorted(pathlib.Path(__file__).parent.glob("timing-*.json")):
    root = etree.fromstring(wavedrom.render(source.read_text()).tostring().encode())
    # The skin defines every shape there is, most of the file: keep those in use.
    used = {use.get(LINK)[1:] for use in root.iter(SVG + "use")}
    for shapes in root.iter(SVG + "defs"):
        for shape in shapes.findall(SVG + "g"):
            if shape.get("id") not in used:
                shapes.remove(shape)
    source.with_suffix(".svg").write_bytes(etree.tostring(root) + b"\n")
