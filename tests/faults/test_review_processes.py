"""Two processes work on one review queue; one that is killed loses its packets to the next."""

import json
import signal
import time
from collections.abc import Callable
from typing import Any

from memorycore import Memory

OPEN = """
import sys
from memorycore import Memory
memory = Memory.open(sys.argv[1], scope="project:web", reads=["user:ana"])
"""
WORK = (
    OPEN
    + """
print("ready", flush=True)
sys.stdin.readline()
done = []
while items := memory.run_reviews():
    done += [one.id for one in items]
print(" ".join(done))
"""
)
HANG = (
    OPEN
    + """
class Hanging:
    name = "model"
    def review(self, packet):
        print("asked", flush=True)
        sys.stdin.readline()
memory.run_reviews(Hanging(), lease_s=1)
"""
)
PACKETS = 40


def fill(path: str, count: int) -> None:
    with Memory.open(path, scope="project:web", reads=["user:ana"]) as memory:
        for number in range(count):
            evidence = [{"text": f"习惯 {number % 5}: 先写测试", "candidateKey": f"k{number % 5}"}]
            packet = memory.review_packet(
                language="zh-CN", workflow="build", change=f"c{number}", checkpoint="检查点",
                evidence=evidence,
            )  # fmt: skip
            memory.queue_review(packet)


def test_two_processes_decide_on_each_packet_once(
    start_python: Callable[..., Any], store_path: str, assert_sound: Callable[[str], None]
) -> None:
    fill(store_path, PACKETS)
    workers = [start_python(WORK, store_path) for _ in range(2)]
    for worker in workers:
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        worker.stdin.write("\n")
        worker.stdin.flush()
    done = [worker.communicate(timeout=60)[0].split() for worker in workers]
    assert [worker.returncode for worker in workers] == [0, 0]
    assert len(set(done[0]) | set(done[1])) == len(done[0]) + len(done[1]) == PACKETS
    with Memory.open(store_path, scope="project:web") as memory:
        assert {one.status for one in memory.review_queue()} == {"processed"}
        assert {one.attempts for one in memory.review_queue()} == {1}
        assert [one.successes for one in memory.review_records()] == [8] * 5
        assert len(list(memory.facts())) >= 1
    assert_sound(store_path)


def test_what_a_killed_process_held_is_taken_up_when_its_lease_has_run_out(
    start_python: Callable[..., Any], store_path: str, assert_sound: Callable[[str], None]
) -> None:
    fill(store_path, 1)
    held = start_python(HANG, store_path)
    assert held.stdout.readline() == "asked\n"
    held.send_signal(signal.SIGKILL)
    held.wait()
    with Memory.open(store_path, scope="project:web", reads=["user:ana"]) as memory:
        assert memory.review_queue()[0].status == "processing"
        until = time.monotonic() + 30
        done = memory.run_reviews()
        while not done and time.monotonic() < until:
            time.sleep(0.1)
            done = memory.run_reviews()
        assert [(one.status, one.outcome, one.attempts) for one in done] == [
            ("processed", "candidate-created", 2)
        ]
        assert json.dumps(done[0].to_dict())
    assert_sound(store_path)
