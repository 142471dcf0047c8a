"""An evidence file holds until one byte of it changes; then the place is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aurum.domain.evidence import file_lines, public_key_of, seal, verify

KEY = b"k" * 32
RECORDS = [("header", {"caseId": "c"}), ("fact", {"kind": "taskClosed", "who": "ä"}), ("fact", {"n": 1.5})]


def lines() -> list[bytes]:
    return list(seal(RECORDS, KEY))


def test_a_fresh_file_holds_and_names_the_key_that_sealed_it() -> None:
    verdict = verify(lines())

    assert verdict.is_good
    assert verdict.public_key == public_key_of(KEY)
    assert verdict.lines == 4


@given(st.integers(0), st.integers(1, 255))
def test_any_changed_byte_is_found_in_its_line(place: int, change: int) -> None:
    whole = lines()
    flat = bytearray(b"".join(whole))
    place %= len(flat)
    flat[place] ^= change
    expected = bytes(b"".join(whole))[:place].count(b"\n") + 1

    verdict = verify(file_lines(bytes(flat)))

    assert not verdict.is_good
    assert verdict.line in (expected, expected + 1)


@pytest.mark.parametrize("gone", [0, 1, 2, 3])
def test_a_missing_line_is_found(gone: int) -> None:
    left = lines()
    del left[gone]

    assert not verify(left).is_good


def test_two_lines_that_change_places_are_found() -> None:
    one, two, three, last = lines()

    assert verify([one, three, two, last]).line == 2


def test_another_key_is_refused_when_a_key_is_expected() -> None:
    other = public_key_of(b"o" * 32)

    verdict = verify(lines(), public_key=other)

    assert not verdict.is_good
    assert "another key" in verdict.reason


def test_a_whole_chain_made_anew_needs_the_banks_key() -> None:
    forged = list(seal([("header", {"caseId": "other"})], b"f" * 32))

    assert verify(forged).is_good
    assert not verify(forged, public_key=public_key_of(KEY)).is_good
