"""The store of labels: nothing acknowledged is lost, torn lines are set aside, undo and clear fold as told, and several
writers share a file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.errors import DatasetError
from thresher.labelling.entries import entry_line, stored_label
from thresher.labelling.store import LabelStore
from thresher.learn.labelfile import LABELS, append, label

PATHS = ("/html", "/html/body", "/html/body/p[1]", "/html/body/p[2]")
NAMES = ("ada", "grace")


def view(store: LabelStore, page: str = "1") -> set[tuple[str, str, str]]:
    return {(one.labeller, one.xpath, one.label) for one in store.labels(page)}


def test_a_store_is_read_again_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "deeper" / "labels.jsonl"
    store = LabelStore(path)
    store.add("1", "ada", [("/html", "content"), ("/html/body", "noise")])
    store.mark("1", "ada", "done")
    again = LabelStore(path)
    assert view(again) == view(store) == {("ada", "/html", "content"), ("ada", "/html/body", "noise")}
    assert again.status("1") == {"ada": "done"}
    assert again.pages() == ["1"]


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_torn_last_line_is_set_aside_and_nothing_else_is_lost(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "labels.jsonl"
    LabelStore(path).add("1", "ada", [("/html", "content")])
    whole = path.read_bytes()
    torn = entry_line(stored_label("1", "/html/body", "noise", "ada", "x"))[:cut]
    path.write_bytes(whole + torn)
    store = LabelStore(path)
    assert view(store) == {("ada", "/html", "content")}
    assert path.read_bytes() == whole
    assert (tmp_path / "labels.jsonl.torn").read_bytes() == torn + b"\n"
    store.add("1", "ada", [("/html/body", "noise")])
    assert view(LabelStore(path)) == {("ada", "/html", "content"), ("ada", "/html/body", "noise")}
    assert LabelStore(path).problems == []


def test_a_whole_line_without_its_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_bytes(entry_line(stored_label("1", "/html", "content", "ada", "x")).removesuffix(b"\n"))
    assert view(LabelStore(path)) == {("ada", "/html", "content")}
    assert not (tmp_path / "labels.jsonl.torn").exists()


def test_a_line_that_is_none_stays_where_it_is_and_is_told(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    LabelStore(path).add("1", "ada", [("/html", "content")])
    with path.open("ab") as file:
        file.write(b'{"page": 1}\n\x00\x00\n["no"]\n')
    store = LabelStore(path)
    assert len(store.problems) == 3
    store.add("1", "ada", [("/html/body", "noise")])
    assert len(view(LabelStore(path))) == 2
    assert b'{"page": 1}\n' in path.read_bytes()


def test_a_disk_that_is_full_leaves_no_half_of_a_batch(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    LabelStore(path).add("1", "ada", [("/html", "content")])
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    broken = LabelStore(path, fsync=full)
    with pytest.raises(OSError, match="No space"):
        broken.add("1", "ada", [(xpath, "noise") for xpath in PATHS])
    assert path.read_bytes() == before
    assert view(broken) == view(LabelStore(path)) == {("ada", "/html", "content")}


def test_every_batch_is_on_the_disk_before_it_is_acknowledged(tmp_path: Path) -> None:
    synced = []
    store = LabelStore(tmp_path / "labels.jsonl", fsync=lambda descriptor: synced.append(os.fstat(descriptor).st_size))
    store.add("1", "ada", [(xpath, "noise") for xpath in PATHS])
    assert synced == [(tmp_path / "labels.jsonl").stat().st_size]


def test_a_writer_killed_at_any_moment_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    program = (
        "import sys\nfrom thresher.labelling.store import LabelStore\nstore = LabelStore(sys.argv[1])\n"
        "for number in range(100000):\n"
        "    store.add('1', 'ada', [(f'/html/p[{number}]', 'content')])\n"
        "    print(number, flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    said_ = [next(child.stdout) for _ in range(25)]
    child.kill()
    said_ += child.stdout.readlines()
    child.wait()
    child.stdout.close()
    last = int([one for one in said_ if one.endswith("\n")][-1])
    found = view(LabelStore(path))
    assert {("ada", f"/html/p[{number}]", "content") for number in range(last + 1)} <= found
    assert LabelStore(path).problems == []


def test_two_stores_on_one_file_see_each_other(tmp_path: Path) -> None:
    one, two = LabelStore(tmp_path / "labels.jsonl"), LabelStore(tmp_path / "labels.jsonl")
    one.add("1", "ada", [("/html", "content")])
    two.add("1", "grace", [("/html", "noise")])
    assert view(one) == view(two) == {("ada", "/html", "content"), ("grace", "/html", "noise")}
    assert two.undo("1", "grace") == ["/html"]
    assert view(one) == {("ada", "/html", "content")}


def test_files_of_labels_from_elsewhere_are_read(tmp_path: Path) -> None:
    append(tmp_path / "labels.jsonl", [label("1", "/html", "content", "ada"), label("1", "/html", "noise", "ada")])
    store = LabelStore(tmp_path / "labels.jsonl")
    assert view(store) == {("ada", "/html", "noise")}
    assert store.undo("1", "ada") == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DatasetError, match="cannot be kept"):
        LabelStore(tmp_path / "file" / "labels.jsonl")


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 300, "\u202e"])
def test_names_that_would_break_the_file_are_refused(tmp_path: Path, name: str) -> None:
    store = LabelStore(tmp_path / "labels.jsonl")
    with pytest.raises(ValueError, match="labeller"):
        store.add("1", name, [("/html", "content")])
    assert (tmp_path / "labels.jsonl").read_bytes() == b""


who = st.sampled_from(NAMES)
where = st.lists(st.sampled_from(PATHS), min_size=1, max_size=3, unique=True)
deeds = st.lists(
    st.one_of(
        st.tuples(st.just("add"), who, where, st.sampled_from(LABELS)),
        st.tuples(st.just("clear"), who, where, st.none()),
        st.tuples(st.just("undo"), who, st.none(), st.none()),
    ),
    max_size=12,
)


@settings(max_examples=40, deadline=None)
@given(deeds)
def test_what_counts_is_what_a_pile_of_snapshots_says(tmp_path_factory: pytest.TempPathFactory, script: list) -> None:
    """The naive twin: each labeller has a pile of the states of their own labels; undo takes the topmost off."""
    store = LabelStore(tmp_path_factory.mktemp("store") / "labels.jsonl", fsync=lambda descriptor: None)
    piles: dict[str, list[dict[tuple[str, str], str]]] = {name: [{}] for name in NAMES}
    for deed, name, paths, what in script:
        pile = piles[name]
        if deed == "undo":
            store.undo("1", name)
            pile[:] = pile[:-1] or [{}]
            continue
        state = dict(pile[-1])
        for path in paths:
            if deed == "add":
                state[path, "segment" if "segment" in what else "content"] = what
            else:
                state.pop((path, "content"), None)
                state.pop((path, "segment"), None)
        pile.append(state)
        if deed == "add":
            store.add("1", name, [(path, what) for path in paths])
        else:
            store.clear("1", name, paths)
    wanted = {(name, path, what) for name, pile in piles.items() for (path, _), what in pile[-1].items()}
    assert view(store) == wanted == view(LabelStore(store.path))
