"""Resources made to hurt whoever opens them. Each is refused at deployment, at once and for a reason.

Tests send them through every door: the core, gRPC and REST.
"""

from __future__ import annotations

HEAD = (
    '<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"'
    ' xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:xi="http://www.w3.org/2001/XInclude" id="d">'
)


def _process(inside: str = "", before: str = "") -> str:
    return (
        f'{HEAD}{before}<bpmn:process id="hostile" isExecutable="true"><bpmn:startEvent id="start"/>'
        f"{inside}</bpmn:process></bpmn:definitions>"
    )


def _with_input(source: str) -> bytes:
    mapping = f'<zeebe:ioMapping><zeebe:input source="{source}" target="x"/></zeebe:ioMapping>'
    task = f'<bpmn:task id="t"><bpmn:extensionElements>{mapping}</bpmn:extensionElements></bpmn:task>'
    return _process(f'<bpmn:adHocSubProcess id="box">{task}</bpmn:adHocSubProcess>').encode()


def _with_type(declaration: str, use: str = "start") -> bytes:
    return (declaration + _process().replace('id="start"', f'id="{use}"')).encode()


_LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10 if n else "ha"}">' for n in range(10))
_NESTED = "".join(f'<bpmn:subProcess id="a{n}">' for n in range(400)) + "</bpmn:subProcess>" * 400

HOSTILE: dict[str, tuple[bytes, str]] = {
    "a document type": (_with_type("<!DOCTYPE d>"), "document type"),
    "an entity of a local file": (
        _with_type('<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/passwd">]>').replace(
            b"</bpmn:process>", b"<bpmn:documentation>&e;</bpmn:documentation></bpmn:process>"
        ),
        "document type",
    ),
    "an entity of another host": (
        _with_type('<!DOCTYPE d [<!ENTITY e SYSTEM "http://127.0.0.1:9/e">]>').replace(
            b"</bpmn:process>", b"<bpmn:documentation>&e;</bpmn:documentation></bpmn:process>"
        ),
        "document type",
    ),
    "a parameter entity": (
        _with_type('<!DOCTYPE d [<!ENTITY % e SYSTEM "file:///etc/passwd"> %e;]>'),
        "document type",
    ),
    "a billion laughs in an attribute": (_with_type(f"<!DOCTYPE d [{_LAUGHS}]>", "&l9;"), "amplification"),
    "a quadratic blow-up": (
        _with_type(f'<!DOCTYPE d [<!ENTITY a "{"x" * 50_000}">]>', "&a;" * 20_000),
        "not well-formed",
    ),
    "a document type in UTF-16": (
        ('<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE d>' + _process()).encode("utf-16"),
        "document type",
    ),
    "a document type in UTF-7": (
        b'<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE d+AD4-' + _process().encode(),
        "document type",
    ),
    "elements nested too deeply": (_process(_NESTED).encode(), "depth"),
    "more elements than a process has": (
        _process("".join(f'<bpmn:task id="t{n}"/>' for n in range(20_000))).encode(),
        "at most 5000",
    ),
    "the same id many times": (_process('<bpmn:task id="t"/>' * 4_000).encode(), "used twice"),
    "a resource above the limit": (_process(f"<!--{'x' * (4 << 20)}-->").encode(), "exceeds"),
    "an attribute of a megabyte": (_with_input(f"=&quot;{'x' * (1 << 20)}&quot;"), "longer than"),
    "brackets nested in an expression": (_with_input("=" + "(" * 5_000 + "1" + ")" * 5_000), "nested"),
    "a chain of operators": (_with_input("=fromAi(x) + " + "+".join(["1"] * 3_000)), "nested"),
    "a parameter nested in its schema": (
        _with_input("=fromAi(x, null, null, " + "[" * 500 + "]" * 500 + ")"),
        "nested",
    ),
    "a message name that computes for ever": (
        _process(
            '<bpmn:startEvent id="m"><bpmn:messageEventDefinition messageRef="n"/></bpmn:startEvent>',
            '<bpmn:message id="n" name="=for a in 1..100000, b in 1..100000 return a"/>',
        ).encode(),
        "no text",
    ),
    "an included file": (
        _process('<xi:include href="file:///etc/passwd"/><bpmn:include/>').encode(),
        "no id",
    ),
    "another root": (b"<html/>", "not bpmn:definitions"),
    "no XML": (bytes(range(256)) * 10, "not well-formed"),
}
"""Name: (bytes, words of the refusal)."""
