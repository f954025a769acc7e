#!/usr/bin/env bash
# dtschema 2026.9 (PyPI: dtschema 2026.9, pylibfdt 1.7.2.post2), which checks devicetrees by schemas.
#
# One would guess that `dt-validate` ends with an exit code other than 0 for a devicetree that breaks a schema, as
# `dt-doc-validate` of the same package does for a schema that is wrong, so that it can be a step of a build. Seen: it
# prints that a value is above its maximum and ends with 0. No option changes that: a build has to read what it prints.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v dtc >/dev/null || apt-get install -y -qq device-tree-compiler >/dev/null
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check dtschema==2026.9 pylibfdt==1.7.2.post2

schema() { # a property that a schema has to have
    cat <<END
%YAML 1.2
---
\$id: http://devicetree.org/schemas/vendor,block.yaml#
\$schema: http://devicetree.org/meta-schemas/core.yaml#
title: A block with a buffer
$1
properties:
  compatible:
    const: vendor,block
  reg:
    maxItems: 1
  vendor,depth:
    description: How many entries the buffer has.
    \$ref: /schemas/types.yaml#/definitions/uint32
    maximum: 8
required: [compatible, reg]
additionalProperties: false
END
}
mkdir schemas
schema 'maintainers: [A Person <person@example.com>]' >schemas/vendor,block.yaml
schema '' >wrong.yaml
device() { # depth
    echo "/dts-v1/; / { compatible = \"vendor,board\"; model = \"board\"; #address-cells = <1>; #size-cells = <1>;
        block@1000 { compatible = \"vendor,block\"; reg = <0x1000 0x100>; vendor,depth = <$1>; }; };" >board.dts
    dtc -O dtb -o board.dtb board.dts
    venv/bin/dt-validate -s schemas board.dtb >checked.txt 2>&1 && code=0 || code=$?
    echo "$code with $(grep -c 'greater than the maximum' checked.txt || true) messages"
}
small=$(device 8)
large=$(device 9)
venv/bin/dt-doc-validate wrong.yaml >/dev/null 2>&1 && wrong=0 || wrong=$?
venv/bin/dt-doc-validate schemas/vendor,block.yaml >/dev/null 2>&1 && right=0 || right=$?
echo "dt-validate: $small; above the maximum: $large; dt-doc-validate of a right and a wrong schema: $right, $wrong"
[ "$small" = "0 with 0 messages" ] && [ "$large" = "0 with 1 messages" ] && [ "$right" = 0 ] && [ "$wrong" = 1 ]
