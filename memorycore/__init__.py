"""memorycore: long-term memory for AI agents in one SQLite file.

>>> from memorycore import Memory
>>> with Memory.open(":memory:", scope="user:ana") as memory:
...     _ = memory.add("我不喜欢早上八点开会。")
...     [hit.episode.text for hit in memory.search("八点")]
['我不喜欢早上八点开会。']
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memorycore import errors
    from memorycore.async_memory import AsyncMemory
    from memorycore.checking import check_model
    from memorycore.engine.undo import UndoResult
    from memorycore.importing import import_prompt
    from memorycore.memory import Memory
    from memorycore.model.additive import AdditiveInputs
    from memorycore.model.backup import (
        Backup,
        Compacted,
        IndexState,
        KnownBackup,
        MigrationPlan,
        Restored,
    )
    from memorycore.model.candidate import Candidate
    from memorycore.model.check import Check
    from memorycore.model.context import Context
    from memorycore.model.decision import AdmitResult, Outcome
    from memorycore.model.draft import Draft, Rejection
    from memorycore.model.entity import Entity
    from memorycore.model.episode import Episode
    from memorycore.model.fact import Fact
    from memorycore.model.forgetting import ForgetPlan, Receipt, Verification
    from memorycore.model.history import Difference, Explanation, HistoryLine
    from memorycore.model.import_item import ImportItem
    from memorycore.model.import_job import ImportJob
    from memorycore.model.ingest import IngestResult
    from memorycore.model.operation import Operation
    from memorycore.model.operation_chain import LogProof
    from memorycore.model.predicate import Predicate
    from memorycore.model.receipt_chain import ChainFault, ChainProof
    from memorycore.model.review import CandidateView
    from memorycore.model.review_actions import Fault
    from memorycore.model.review_queue import QueueItem
    from memorycore.model.review_result import (
        ReviewCheck,
        ReviewOutcome,
        ReviewRecord,
        ReviewResult,
    )
    from memorycore.model.search import FactHit, Hit, SearchResult
    from memorycore.model.stats import Stats
    from memorycore.model.subject import KnownFact, Subject, SubjectExport, SubjectMatches
    from memorycore.proving import verify_receipt_file
    from memorycore.reviewing import check_review
    from memorycore.store.quarantine import StoredLine
    from memorycore.store.suppressions import StoredSuppression

__version__ = "0.1.0"

__all__ = [
    "AdditiveInputs",
    "AdmitResult",
    "AsyncMemory",
    "Backup",
    "Candidate",
    "CandidateView",
    "ChainFault",
    "ChainProof",
    "Check",
    "Compacted",
    "Context",
    "Difference",
    "Draft",
    "Entity",
    "Episode",
    "Explanation",
    "Fact",
    "FactHit",
    "Fault",
    "ForgetPlan",
    "HistoryLine",
    "Hit",
    "ImportItem",
    "ImportJob",
    "IndexState",
    "IngestResult",
    "KnownBackup",
    "KnownFact",
    "LogProof",
    "Memory",
    "MigrationPlan",
    "Operation",
    "Outcome",
    "Predicate",
    "QueueItem",
    "Receipt",
    "Rejection",
    "Restored",
    "ReviewCheck",
    "ReviewOutcome",
    "ReviewRecord",
    "ReviewResult",
    "SearchResult",
    "Stats",
    "StoredLine",
    "StoredSuppression",
    "Subject",
    "SubjectExport",
    "SubjectMatches",
    "UndoResult",
    "Verification",
    "__version__",
    "check_model",
    "check_review",
    "errors",
    "import_prompt",
    "verify_receipt_file",
]

# Each name is imported when it is first asked for: a program that only wants the version, or only
# searches, does not pay for the rest.
_HOMES = {
    "AdditiveInputs": "memorycore.model.additive",
    "AdmitResult": "memorycore.model.decision",
    "AsyncMemory": "memorycore.async_memory",
    "Backup": "memorycore.model.backup",
    "Candidate": "memorycore.model.candidate",
    "CandidateView": "memorycore.model.review",
    "ChainFault": "memorycore.model.receipt_chain",
    "ChainProof": "memorycore.model.receipt_chain",
    "Check": "memorycore.model.check",
    "Compacted": "memorycore.model.backup",
    "Context": "memorycore.model.context",
    "Difference": "memorycore.model.history",
    "Draft": "memorycore.model.draft",
    "Entity": "memorycore.model.entity",
    "Episode": "memorycore.model.episode",
    "Explanation": "memorycore.model.history",
    "Fact": "memorycore.model.fact",
    "FactHit": "memorycore.model.search",
    "Fault": "memorycore.model.review_actions",
    "ForgetPlan": "memorycore.model.forgetting",
    "HistoryLine": "memorycore.model.history",
    "Hit": "memorycore.model.search",
    "ImportItem": "memorycore.model.import_item",
    "ImportJob": "memorycore.model.import_job",
    "IndexState": "memorycore.model.backup",
    "IngestResult": "memorycore.model.ingest",
    "KnownBackup": "memorycore.model.backup",
    "KnownFact": "memorycore.model.subject",
    "LogProof": "memorycore.model.operation_chain",
    "Memory": "memorycore.memory",
    "MigrationPlan": "memorycore.model.backup",
    "Operation": "memorycore.model.operation",
    "Outcome": "memorycore.model.decision",
    "Predicate": "memorycore.model.predicate",
    "QueueItem": "memorycore.model.review_queue",
    "Receipt": "memorycore.model.forgetting",
    "Rejection": "memorycore.model.draft",
    "Restored": "memorycore.model.backup",
    "ReviewCheck": "memorycore.model.review_result",
    "ReviewOutcome": "memorycore.model.review_result",
    "ReviewRecord": "memorycore.model.review_result",
    "ReviewResult": "memorycore.model.review_result",
    "SearchResult": "memorycore.model.search",
    "Stats": "memorycore.model.stats",
    "StoredLine": "memorycore.store.quarantine",
    "StoredSuppression": "memorycore.store.suppressions",
    "Subject": "memorycore.model.subject",
    "SubjectExport": "memorycore.model.subject",
    "SubjectMatches": "memorycore.model.subject",
    "UndoResult": "memorycore.engine.undo",
    "Verification": "memorycore.model.forgetting",
    "check_model": "memorycore.checking",
    "import_prompt": "memorycore.importing",
    "check_review": "memorycore.reviewing",
    "verify_receipt_file": "memorycore.proving",
}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "errors":
        return import_module("memorycore.errors")
    if name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
