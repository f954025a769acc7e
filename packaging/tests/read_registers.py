"""Prints every field of a SystemRDL file as PeakRDL's compiler reads it; a warning of the compiler is an error."""

import sys

try:
    from systemrdl import RDLCompiler
    from systemrdl.messages import MessagePrinter
    from systemrdl.node import FieldNode, RegNode
except ImportError:
    sys.exit("systemrdl-compiler is missing: run scripts/setup and have build/venv/bin on the path")


class Strict(MessagePrinter):
    """Prints warnings and errors, and counts them."""

    messages = 0

    def print_message(self, severity, text, src_ref):
        self.messages += 1
        super().print_message(severity, text, src_ref)


strict = Strict()
compiler = RDLCompiler(message_printer=strict)
compiler.compile_file(sys.argv[1])
top = compiler.elaborate().top
for register in top.descendants(unroll=True):
    if not isinstance(register, RegNode):
        continue
    for field in register.children():
        assert isinstance(field, FieldNode)
        access = [field.get_property("sw").name]
        access += [effect.name for effect in (field.get_property("onwrite"), field.get_property("onread")) if effect]
        reset = field.get_property("reset")
        reset = "none" if reset is None else f"{reset:#x}"
        place = f"{register.parent.inst_name}.{register.inst_name} {field.high}:{field.low} {field.inst_name}"
        print(f"{register.absolute_address:#06x} {place} {' '.join(access)} {reset}")
sys.exit(1 if strict.messages else 0)
