"""XML of one resource, opened safely: no entities, no DTD, no network, no comments.

Knows namespaces and `{ns}tag` spelling; does not know what an element means.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

BPMN = "http://www.omg.org/spec/BPMN/20100524/MODEL"
ZEEBE = "http://camunda.org/schema/zeebe/1.0"

RESOURCE_BYTES_MAX = 4 * 1024 * 1024
"""Camunda's default message size; a resource travels in one command."""


class InvalidXml(ValueError):
    """The bytes are not XML that we open; the message is one line."""


def parse(source: bytes) -> etree._Element:
    """Return the root element of `source`, or raise InvalidXml."""
    if len(source) > RESOURCE_BYTES_MAX:
        raise InvalidXml(f"resource of {len(source)} bytes exceeds {RESOURCE_BYTES_MAX}")
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(source, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InvalidXml(f"not well-formed XML: {error}") from error
    if root.getroottree().docinfo.doctype:  # type: ignore[union-attr]
        raise InvalidXml("a document type declaration is not allowed")
    return root


def split(node: etree._Element) -> tuple[str, str]:
    """Return (namespace, local name) of `node`."""
    name = etree.QName(node)
    return name.namespace or "", name.localname


def children(node: etree._Element, namespace: str, *names: str) -> Iterator[etree._Element]:
    """Yield direct children with one of the local names, in document order."""
    for child in node:
        child_namespace, local = split(child)
        if child_namespace == namespace and local in names:
            yield child


def child(node: etree._Element, namespace: str, name: str) -> etree._Element | None:
    """Return the first direct child of that name, or None."""
    return next(children(node, namespace, name), None)


def attribute(node: etree._Element, name: str) -> str | None:
    """Return an attribute as text; None when absent."""
    value = node.get(name)
    return None if value is None else str(value)


def text_of(node: etree._Element | None) -> str:
    """Return the text inside `node`, stripped; "" when absent."""
    return "" if node is None else "".join(str(part) for part in node.itertext()).strip()
