"""A range coder for symbols whose probabilities are powers of two, as Talon's, with carries."""

from __future__ import annotations

_TOP = 1 << 32
_LEAST = 1 << 24


class Encoder:
    """Makes bytes of symbols."""

    def __init__(self) -> None:
        self._low, self._range = 0, _TOP - 1
        self._bytes = bytearray()

    def symbol(self, wrong: bool, confidence: int) -> None:
        """A symbol: as predicted, or wrong, which it is once in ``2**confidence`` times."""
        unlikely = self._range >> confidence
        if wrong:
            self._low += self._range - unlikely
            self._range = unlikely
        else:
            self._range -= unlikely
        while self._range < _LEAST:
            self._shift()

    def number(self, value: int, bits: int) -> None:
        """A number of so many bits that nothing is known of."""
        while bits > 0:
            count = min(bits, 8)
            bits -= count
            self._range >>= count
            self._low += (value >> bits & (1 << count) - 1) * self._range
            while self._range < _LEAST:
                self._shift()

    def _shift(self) -> None:
        if self._low >= _TOP:
            self._carry()
        self._bytes.append(self._low >> 24)
        self._low = (self._low & _LEAST - 1) << 8
        self._range <<= 8

    def _carry(self) -> None:
        self._low -= _TOP
        place = len(self._bytes) - 1
        while self._bytes[place] == 0xFF:
            self._bytes[place] = 0
            place -= 1
        self._bytes[place] += 1

    def finish(self) -> bytes:
        """The bytes; zeros at their end are left out."""
        # The number in the range that ends in the most zeros.
        end = self._low + self._range - 1
        bits = max(0, (end ^ (self._low - 1)).bit_length() - 1) if self._low else 32
        self._low = end >> bits << bits
        self._range = _TOP - 1
        for _ in range(4):
            self._shift()
        return bytes(self._bytes).rstrip(b"\0")


class Decoder:
    """Makes symbols of bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place, self._code, self._range = 4, int.from_bytes(data[:4].ljust(4, b"\0"), "big"), _TOP - 1

    def symbol(self, confidence: int) -> bool:
        """True if the symbol is wrong, which it is once in ``2**confidence`` times."""
        unlikely = self._range >> confidence
        likely = self._range - unlikely
        wrong = self._code >= likely
        if wrong:
            self._code -= likely
            self._range = unlikely
        else:
            self._range = likely
        while self._range < _LEAST:
            self._shift()
        return wrong

    def number(self, bits: int) -> int:
        """A number of so many bits."""
        value = 0
        while bits > 0:
            count = min(bits, 8)
            bits -= count
            self._range >>= count
            digit = min(self._code // self._range, (1 << count) - 1)
            self._code -= digit * self._range
            value = value << count | digit
            while self._range < _LEAST:
                self._shift()
        return value

    def _shift(self) -> None:
        byte = self._data[self._place] if self._place < len(self._data) else 0
        self._place += 1
        self._code = (self._code << 8 | byte) & _TOP - 1
        self._range <<= 8
