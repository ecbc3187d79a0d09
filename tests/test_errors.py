"""Messages name what can be installed here."""

from __future__ import annotations

import pickle

import pytest

from thresher import errors
from thresher.errors import MissingExtra


@pytest.mark.parametrize(("checkout", "extra"), [(True, "'.[fetch]'"), (False, "'thresher[fetch]'")])
def test_an_extra_is_named_as_it_is_to_be_had(checkout: bool, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "_is_of_a_checkout", lambda: checkout)
    error = MissingExtra("fetching needs an HTTP engine: pip install 'thresher[fetch]'")
    assert str(error) == str(pickle.loads(pickle.dumps(error))) == f"fetching needs an HTTP engine: pip install {extra}"


def test_this_is_a_checkout() -> None:
    assert errors._is_of_a_checkout()
