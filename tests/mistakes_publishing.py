"""Mistakes in what is published beside the pages."""

from __future__ import annotations

from planted import Mutation, Part

PART = Part(
    copied=("book/_ext", "book/_templates", "tests/toy_book.py"),
)
TESTS = "test_publishing.py"

MUTATIONS = [
    Mutation(
        "a page without an address has a card to share",
        "book/_ext/publishing/address.py",
        (('"enable": bool(address)', '"enable": True'),),
        TESTS,
        "test_without_an_address_no_card_is_made",
    ),
    Mutation(
        "a page in the zip leads to the zip",
        "book/_ext/publishing/offline.py",
        (('LINK.sub("", content.decode())', "content.decode()"),),
        TESTS,
        "test_a_copy_is_linked_with_its_size_and_has_no_such_link",
    ),
]
