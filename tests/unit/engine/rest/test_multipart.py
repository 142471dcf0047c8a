"""Forms are read as browsers and clients write them, and refused when they are broken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aurum_engine.rest.multipart import parse_multipart
from aurum_engine.rest.problems import Problem


def form(*parts: tuple[str, bytes], boundary: str = "frontier") -> bytes:
    mark = boundary.encode()
    pieces = [b"--%s\r\nContent-Disposition: %s\r\n\r\n%s\r\n" % (mark, d.encode(), c) for d, c in parts]
    return b"".join(pieces) + b"--%s--\r\n" % mark


TYPE = "multipart/form-data; boundary=frontier"


@given(contents=st.lists(st.binary(max_size=60), max_size=4))
def test_any_bytes_come_out_as_they_went_in(contents: list[bytes]) -> None:
    parts = [(f'form-data; name="resources"; filename="{n}.bpmn"', c) for n, c in enumerate(contents)]

    if any(b"\r\n--frontier" in b"\r\n" + content for content in contents):
        return  # The sender must choose another boundary then.
    found = parse_multipart(TYPE, form(*parts))

    assert [part.content for part in found] == contents
    assert [part.file_name for part in found] == [f"{n}.bpmn" for n in range(len(contents))]


NAMES = {
    "quoted": ('form-data; name="r"; filename="a b.bpmn"', "a b.bpmn"),
    "plain": ("form-data; name=r; filename=a.bpmn", "a.bpmn"),
    "escaped quote": (r'form-data; name="r"; filename="a\"b.bpmn"', 'a"b.bpmn'),
    "browser's quote": ('form-data; name="r"; filename="a%22b.bpmn"', 'a"b.bpmn'),
    "extended": ('form-data; name="r"; filename="x"; filename*=UTF-8\'\'%C3%BC.bpmn', "ü.bpmn"),
    "utf-8": ('form-data; name="r"; filename="ü.bpmn"', "ü.bpmn"),
    "none": ('form-data; name="r"', None),
}


@pytest.mark.parametrize(("disposition", "name"), NAMES.values(), ids=NAMES.keys())
def test_file_names_are_understood(disposition: str, name: str | None) -> None:
    (part,) = parse_multipart(TYPE, form((disposition, b"x")))

    assert (part.name, part.file_name) == ("r", name)


BROKEN = {
    "another type": ("application/json", b"{}"),
    "no boundary": ("multipart/form-data", form()),
    "no end": (TYPE, b"--frontier\r\nContent-Disposition: form-data\r\n\r\nx"),
    "no part header": (TYPE, b"--frontier\r\nx\r\n--frontier--"),
    "no disposition": (TYPE, b"--frontier\r\nA: b\r\n\r\nx\r\n--frontier--"),
    "text behind a boundary": (TYPE, b"--frontierx\r\n\r\n\r\n--frontier--"),
    "too many parts": (TYPE, form(*[("form-data; name=a", b"")] * 300)),
    "nothing": (TYPE, b""),
}


@pytest.mark.parametrize(("content_type", "body"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_form_is_refused(content_type: str, body: bytes) -> None:
    with pytest.raises(Problem) as caught:
        parse_multipart(content_type, body)

    assert caught.value.status == 400
