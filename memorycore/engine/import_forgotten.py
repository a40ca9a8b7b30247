"""Records of an imported document that the store was told to forget: masked before it is kept."""

from collections.abc import Mapping, Sequence

from memorycore.engine.admit import Admission
from memorycore.engine.consolidate import AdmitPolicy
from memorycore.engine.observe import Sighting
from memorycore.engine.statement import Pending
from memorycore.engine.workbench import Workbench
from memorycore.model.draft import Draft
from memorycore.model.forgetting import mask
from memorycore.model.import_item import Proposal
from memorycore.model.json_object import innermost, objects_in
from memorycore.store.sightings import Turn

NOWHERE = Turn(0, b"", None, "document", None, None, None, "")
"""A document of which it is not yet known whether it may be kept."""


def mask_forgotten(
    bench: Workbench, policy: AdmitPolicy, text: str, records: Mapping[int, Sequence[Proposal]]
) -> tuple[str, set[int]]:
    """Mask the records of a document that may not come back; give the text and their numbers.

    A record may not when it makes a statement that was forgotten, or holds a text that was. Masking
    goes character for character, so that all else stands where it stood.
    """
    scene = bench.scene
    if not scene.suppression.is_active(bench.db, scene.scope_id):
        return text, set()
    admission = Admission(bench, policy)
    objects = objects_in(text)
    spans: dict[int, tuple[int, int]] = {}
    drafts: list[tuple[int, Draft]] = []
    forgotten: set[int] = set()
    for number, proposals in records.items():
        for proposal in proposals:
            quote = proposal.candidate.quotes[0]
            start = quote.start if quote.start is not None else text.find(quote.text or "")
            if start < 0:
                continue
            span = innermost(objects, start, start + len(quote.text or ""))
            spans[number] = span
            said = (text[slice(*span)], quote.text or "", proposal.read_as or "")
            drafts += [(number, Draft(one, "document")) for one in said if one]
            sighting = Sighting(NOWHERE, 0, 0)
            if admission.is_suppressed(Pending(0, b"", proposal.candidate, "file", (sighting,))):
                forgotten.add(number)
    refused = scene.suppression.refused_texts(
        bench.db, scene.scope_id, scene.scope, [draft for _, draft in drafts]
    )
    forgotten |= {drafts[place][0] for place in refused}
    return mask(text, [spans[number] for number in forgotten]), forgotten
