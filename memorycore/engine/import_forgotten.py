"""Records of an imported document that the store was told to forget: masked before it is kept."""

from collections.abc import Mapping, Sequence

from memorycore.engine.admit import Admission
from memorycore.engine.consolidate import AdmitPolicy
from memorycore.engine.observe import Sighting
from memorycore.engine.statement import Pending
from memorycore.engine.workbench import Workbench
from memorycore.model.draft import Draft
from memorycore.model.forgetting import mask
from memorycore.model.import_item import Proposal, place_in
from memorycore.model.json_object import objects_in
from memorycore.store.sightings import Turn

NOWHERE = Turn(0, b"", None, "document", None, None, None, "")
"""A document of which it is not yet known whether it may be kept."""


def forgotten_among(
    bench: Workbench,
    policy: AdmitPolicy,
    records: Mapping[int, Sequence[Proposal]],
    texts: Mapping[int, Sequence[Draft]],
) -> set[int]:
    """Tell which records may not come back.

    They make a statement that was forgotten, or hold a text that was.
    """
    scene = bench.scene
    if not scene.suppression.is_active(bench.db, scene.scope_id):
        return set()
    admission = Admission(bench, policy)
    nowhere = (Sighting(NOWHERE, 0, 0),)
    forgotten = {
        number
        for number, proposals in records.items()
        if any(
            admission.is_suppressed(Pending(0, b"", one.candidate, "file", nowhere))
            for one in proposals
        )
    }
    drafts = [(number, draft) for number, some in texts.items() for draft in some]
    refused = scene.suppression.refused_texts(
        bench.db, scene.scope_id, scene.scope, [draft for _, draft in drafts]
    )
    return forgotten | {drafts[place][0] for place in refused}


def mask_forgotten(
    bench: Workbench, policy: AdmitPolicy, text: str, records: Mapping[int, Sequence[Proposal]]
) -> tuple[str, set[int]]:
    """Mask the records of a document that may not come back; give the text and their numbers.

    Masking goes character for character, so that all else stands where it stood.
    """
    objects = objects_in(text)
    spans: dict[int, tuple[int, int]] = {}
    texts: dict[int, list[Draft]] = {}
    for number, proposals in records.items():
        for proposal in proposals:
            parts = [proposal.candidate.quotes[0].text or "", proposal.read_as or ""]
            if (span := place_in(text, objects, proposal)) is not None:
                spans[number] = span
                parts.append(text[slice(*span)])
            texts.setdefault(number, []).extend(Draft(one, "document") for one in parts if one)
    forgotten = forgotten_among(bench, policy, records, texts)
    return mask(text, [spans[number] for number in forgotten if number in spans]), forgotten
