"""DMN XML bytes to the model of `model.py`. Entities, DTDs and network are off.

All DMN 1.1 to 1.5 namespaces are read alike: elements are told apart by local name. Only what the
evaluator needs is read; diagrams and extensions are skipped. Raises `InvalidDmn` naming the element.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from aurum_engine.dmn.errors import InvalidDmn
from aurum_engine.dmn.model import (
    Decision,
    Definitions,
    Knowledge,
    Service,
    Variable,
)
from aurum_engine.dmn.xml_boxed import child, children, local, read_boxed, read_function, text_of
from aurum_engine.dmn.xml_types import read_item_definition
from aurum_engine.feel.names import canonical

XML_BYTES_MAX = 4_194_304
"""Bytes of a DMN file: the message limit of Camunda's gateway."""


def parse_definitions(xml: bytes) -> Definitions:
    """Return the model of one DMN file."""
    if len(xml) > XML_BYTES_MAX:
        raise InvalidDmn(None, f"file is larger than {XML_BYTES_MAX} bytes")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False
    )
    try:
        root = etree.fromstring(xml, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InvalidDmn(None, f"not well-formed XML: {error}") from None
    if root.getroottree().docinfo.internalDTD is not None:
        raise InvalidDmn(None, "document type declarations are not allowed")
    if local(root) != "definitions" or "/DMN/" not in _namespace(root).upper():
        raise InvalidDmn(root.get("id"), "root element is not DMN definitions")
    definitions = Definitions(
        drg_id=root.get("id") or "",
        name=root.get("name") or "",
        namespace=root.get("namespace") or "",
        decisions={},
        inputs={},
        knowledge={},
        services={},
        types={},
        names=tuple(_names(root)),
    )
    for element in children(root):
        _read_element(definitions, element)
    return definitions


def _namespace(element: etree._Element) -> str:
    return etree.QName(element).namespace or ""


def _read_element(definitions: Definitions, element: etree._Element) -> None:
    kind = local(element)
    if kind == "itemDefinition":
        name = element.get("name") or ""
        definitions.types[name] = read_item_definition(element)
        return
    if kind not in ("decision", "inputData", "businessKnowledgeModel", "decisionService"):
        return
    element_id = element.get("id") or element.get("name") or ""
    if not element_id:
        raise InvalidDmn(None, f"{kind} has neither id nor name")
    if kind == "decision":
        definitions.decisions[element_id] = _decision(definitions.namespace, element, element_id)
    elif kind == "inputData":
        definitions.inputs[element_id] = _variable(element)
    elif kind == "businessKnowledgeModel":
        logic = child(element, "encapsulatedLogic")
        definitions.knowledge[element_id] = Knowledge(
            element_id,
            _variable(element),
            None if logic is None else read_function(logic),
            _required(definitions.namespace, element, "requiredKnowledge"),
        )
    else:
        namespace = definitions.namespace
        definitions.services[element_id] = Service(
            element_id,
            _variable(element),
            _references(namespace, element, "outputDecision"),
            _references(namespace, element, "encapsulatedDecision"),
            _references(namespace, element, "inputDecision"),
            _references(namespace, element, "inputData"),
        )


def _decision(namespace: str, element: etree._Element, decision_id: str) -> Decision:
    logic = [boxed for boxed in map(read_boxed, children(element)) if boxed is not None]
    if len(logic) > 1:
        raise InvalidDmn(decision_id, "decision has more than one expression")
    return Decision(
        decision_id,
        element.get("name") or decision_id,
        _variable(element),
        logic[0] if logic else None,
        _required(namespace, element, "requiredDecision"),
        _required(namespace, element, "requiredInput"),
        _required(namespace, element, "requiredKnowledge"),
    )


def _variable(element: etree._Element) -> Variable:
    variable = child(element, "variable")
    own_name = element.get("name") or element.get("id") or ""
    if variable is None:
        return Variable(canonical(own_name))
    return Variable(
        canonical(variable.get("name") or own_name), variable.get("typeRef") or text_of(variable, "typeRef")
    )


def _required(namespace: str, element: etree._Element, kind: str) -> tuple[str, ...]:
    found: list[str] = []
    for requirement in children(element):
        if local(requirement) in ("informationRequirement", "knowledgeRequirement"):
            found += _references(namespace, requirement, kind)
    return tuple(found)


def _references(namespace: str, element: etree._Element, kind: str) -> tuple[str, ...]:
    """Return local ids; a reference to another file is refused, as Camunda deploys single files."""
    references: list[str] = []
    for reference in children(element, kind):
        base, _, fragment = (reference.get("href") or "").partition("#")
        if not fragment:
            raise InvalidDmn(element.get("id"), f"{kind} without an href")
        if base not in ("", namespace):
            raise InvalidDmn(element.get("id"), f"{kind} in another file; imports are not supported")
        references.append(fragment)
    return tuple(references)


def _names(root: etree._Element) -> Iterator[str]:
    """Yield every name an expression of this file may use."""
    wanted = {
        "variable",
        "parameter",
        "formalParameter",
        "itemComponent",
        "itemDefinition",
        "decision",
        "inputData",
        "businessKnowledgeModel",
        "decisionService",
        "output",
        "column",
    }
    for element in root.iter():
        if isinstance(element.tag, str) and local(element) in wanted:
            name = canonical(element.get("name") or "")
            if name:
                yield name
        elif isinstance(element.tag, str) and element.get("iteratorVariable"):
            yield canonical(element.get("iteratorVariable") or "")
