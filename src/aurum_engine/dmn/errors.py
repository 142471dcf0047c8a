"""The error for a DMN file that is not valid or not supported."""


class InvalidDmn(Exception):
    """A DMN file that cannot be deployed; `element_id` names the element, if it is known."""

    def __init__(self, element_id: str | None, reason: str) -> None:
        super().__init__(reason if element_id is None else f"{element_id}: {reason}")
        self.element_id = element_id
        self.reason = reason
