"""The Ray engine: a real cluster of two nodes, one of which dies in the middle of the run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.archives import flip, gzipped, records
from tests.batch_faults import in_process
from thresher.batch import Job, ray_engine, run
from thresher.batch.driver import BatchProgress

ray = pytest.importorskip("ray", reason="Ray is large and optional: pip install 'thresher[ray]'")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:ray")  # of Ray about itself
ROOT = Path(__file__).parents[1]
PAGES = 36


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with one core each; the second is killed by the test."""
    from ray.cluster_utils import Cluster

    path = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = f"{ROOT}{os.pathsep}{path}"  # the nodes import tests.batch_faults
    small = {"num_cpus": 1, "object_store_memory": 80 << 20}
    # A dead node is noticed within a few seconds instead of half a minute.
    health = {
        "health_check_initial_delay_ms": 1000,
        "health_check_period_ms": 1000,
        "health_check_failure_threshold": 3,
    }
    head = {**small, "include_dashboard": False, "_system_config": health}
    nodes = Cluster(initialize_head=True, head_node_args=head)
    try:
        nodes.add_node(**small)
        yield nodes
    finally:
        ray.shutdown()
        nodes.shutdown()
        os.environ["PYTHONPATH"] = path


def parts(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(output.glob("part-*"))}


@pytest.mark.parametrize("named", [None, "auto"])
def test_only_the_cluster_that_is_named_is_joined(named: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cluster that runs on this machine by chance, or has run and left its traces, is nobody's choice."""
    monkeypatch.delenv(ray_engine.ADDRESS, raising=False)
    if named:
        monkeypatch.setenv(ray_engine.ADDRESS, named)
    asked: dict[str, Any] = {}
    ray_engine._start(SimpleNamespace(init=lambda **options: asked.update(options)), 2)
    assert asked["address"] == (named or "local")
    assert asked.get("num_cpus") == (None if named else 2)


def test_a_node_dies_and_the_result_is_the_local_one(cluster: Any, tmp_path: Path) -> None:
    members = gzipped(records(PAGES))
    start = sum(map(len, members[:30]))
    (tmp_path / "a.warc.gz").write_bytes(flip(b"".join(members), start + 100, 30))
    jobs = {
        name: Job(
            (str(tmp_path / "a.warc.gz"),),
            str(tmp_path / name),
            format="jsonl",
            slice_bytes=2500,
            function="tests.batch_faults:slowly",
        )
        for name in ("local", "ray")
    }
    here = run(jobs["local"], engine=in_process)  # type: ignore[arg-type]
    ray.init(address=cluster.address, log_to_driver=False)
    nodes: set[str] = set()

    def watch(progress: BatchProgress) -> None:
        nodes.update(node["NodeID"] for node in ray.nodes() if node["Alive"])
        if progress.slices_done >= 3 and len(cluster.list_all_nodes()) == 2:
            cluster.remove_node(sorted(cluster.worker_nodes, key=lambda node: node.node_id)[0], allow_graceful=False)

    there = run(jobs["ray"], engine="ray", workers=2, watch=watch)
    assert len(nodes) == 2
    assert len([node for node in ray.nodes() if node["Alive"]]) == 1
    assert parts(tmp_path / "ray") == parts(tmp_path / "local")
    assert (there.rows, there.damage, there.errors) == (here.rows, here.damage, here.errors)
    assert there.failed == []
