"""Item definitions of DMN XML to FEEL types. Pure."""

from __future__ import annotations

from lxml import etree

from aurum_engine.dmn.model import ItemDefinition
from aurum_engine.dmn.xml_boxed import child, children, text_of
from aurum_engine.feel.names import canonical
from aurum_engine.feel.nodes import TypeName


def read_item_definition(element: etree._Element) -> ItemDefinition:
    """Return the type an `itemDefinition` (or component) element defines."""
    allowed = child(element, "allowedValues")
    function = child(element, "functionItem")
    return ItemDefinition(
        _type_of(element),
        None if allowed is None else text_of(allowed, "text"),
        function is not None,
    )


def type_of_reference(reference: str | None) -> TypeName:
    """Return the type a `typeRef` names; a prefix such as `feel:` is dropped, none means Any."""
    if not reference:
        return TypeName("Any")
    name = canonical(reference)
    return TypeName(name.partition(":")[2] if name.startswith("feel:") else name)


def _type_of(element: etree._Element) -> TypeName:
    components = children(element, "itemComponent")
    function = child(element, "functionItem")
    if function is not None:
        parameters = children(function, "parameters")
        base = TypeName(
            "function",
            tuple(type_of_reference(p.get("typeRef")) for p in parameters),
            returns=type_of_reference(function.get("outputTypeRef")),
        )
    elif components:
        base = TypeName(
            "context",
            tuple(_type_of(component) for component in components),
            tuple(canonical(component.get("name") or "") for component in components),
        )
    else:
        base = type_of_reference(text_of(element, "typeRef") or element.get("typeRef"))
    return TypeName("list", (base,)) if element.get("isCollection") == "true" else base
