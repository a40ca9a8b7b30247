"""memoryctl eval rules and eval extract: measure extraction on labelled sentences."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from memorycore import __version__
from memoryctl.models import asked_model, model_options
from memoryctl.options import Settings, common_options, not_reserved, settings_of, zero_to_one
from memoryctl.output import counted as number_of
from memoryctl.output import one_line, safe, write_text
from memoryctl.progress import counted

F = TypeVar("F", bound=Callable[..., Any])
Shape = dict[str, Any]

MODEL_OPTIONS = model_options("Measure this model, or the configured one; else the patterns.")
COUNTS = ("right", "wrong", "missed", "precision", "recall")


def _shared(function: F) -> F:
    options = (
        click.option("--language", type=click.Choice(["en", "zh"]), help="Only these sentences."),
        click.option("--limit", type=click.IntRange(1), help="Only the first so many."),
        click.option(
            "--min-confidence",
            type=float,
            metavar="X",
            callback=zero_to_one,
            help="What is less sure is not admitted (0.6).",
        ),
        click.option("--wrong", is_flag=True, help="List the sentences that were read wrongly."),
        click.option(
            "--report",
            type=click.Path(dir_okay=False),
            callback=not_reserved,
            help="Write the JSON report.",
        ),
        click.option("--progress", type=click.Choice(["auto", "plain", "none"]), default="auto"),
    )
    for option in reversed(options):
        function = option(function)
    return common_options(function)


@click.command("rules", epilog="The form of the file: memoryctl help labels")
@click.argument("path", metavar="FILE|-")
@_shared
@click.pass_context
def rules(ctx: click.Context, /, path: str, **given: Any) -> None:
    """Measure the sentence patterns on a FILE of labelled sentences (JSON lines, .gz too).

    \b
      memoryctl eval rules testdata/rules/sentences.jsonl
      memoryctl eval rules sentences.jsonl --language zh --wrong

    All candidates are counted, and those that would be admitted unasked. No store is touched.
    """
    _evaluate(ctx, path, given)


@click.command("extract", epilog="The form of the file: memoryctl help labels")
@click.argument("path", metavar="FILE|-")
@MODEL_OPTIONS[0]
@MODEL_OPTIONS[1]
@_shared
@click.pass_context
def extract(ctx: click.Context, /, path: str, **given: Any) -> None:
    """Measure any extractor on a FILE of labelled sentences: a model, else the sentence patterns.

    \b
      memoryctl eval extract sentences.jsonl --limit 50 \\
          --model qwen3-8b --model-url http://localhost:11434/v1

    Each sentence is read by itself, as a turn of its own. No store is touched.
    """
    _evaluate(ctx, path, given)


def _evaluate(ctx: click.Context, path: str, given: Shape) -> None:
    from memorycore.evaluation import evaluate_extraction

    chosen = {name: given.pop(name) for name in ("language", "limit", "min_confidence")}
    with_wrong, report = given.pop("wrong"), given.pop("report")
    progress = given.pop("progress")
    settings = settings_of(ctx, given)
    reader = asked_model(settings)
    kind = "none" if settings["quiet"] else progress
    with counted("Reading sentences", kind=kind) as advance:
        document = evaluate_extraction(
            path, **reader, **chosen, with_wrong=with_wrong, version=__version__, progress=advance
        )
    if report:
        Path(report).write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "utf-8")
    write_text(settings, safe("\n".join(_lines(document))), document)
    _talk(settings, document, report)


def _talk(settings: Settings, document: Shape, report: str | None) -> None:
    if report:
        settings.talk(f"Report: {report} (configuration and hash of the data)")
    if "wrong" not in document and _has_faults(document):
        settings.talk("Which ones: --wrong lists them")


def _has_faults(document: Shape) -> bool:
    counts = document["overall"]["all"]
    return bool(counts["wrong"] or counts["missed"])


def _lines(document: Shape) -> Iterator[str]:
    reader = document["model"] or document["extractor"]
    sentences = number_of(document["sentences"], "sentence")
    yield f"{sentences} · {reader} {document['extractor_version']}"
    yield f"{'':<28}{'all candidates':>39}{'admitted unasked':>39}"
    heads = "".join(f"{name:>{_width(name)}}" for name in COUNTS)
    yield f"{'':<28}{heads}{heads}"
    rows = {**document["by_predicate"], **document["by_language"], "overall": document["overall"]}
    for name, row in rows.items():
        yield f"{one_line(name):<28}{_cells(row['all'])}{_cells(row['admitted'])}"
    traps = document["traps"]
    if traps["sentences"]:
        yield (
            f"{number_of(traps['sentences'], 'trap')}: {traps['proposed']} led to a wrong candidate"
            f" ({_share(traps['false_proposals'])}), {traps['admitted']} to a false admission"
            f" ({_share(traps['false_admissions'])})"
        )
        yield from _trap_lines(traps["by_kind"])
    yield from _cost_lines(document)
    for one in document.get("wrong", ()):
        yield from _wrong_lines(one)


def _width(name: str) -> int:
    return 10 if name == "precision" else 8 if name == "recall" else 7


def _cells(counts: Shape) -> str:
    numbers = "".join(f"{counts[name]:>7}" for name in COUNTS[:3])
    return f"{numbers}{_share(counts['precision']):>10}{_share(counts['recall']):>8}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _trap_lines(kinds: Shape) -> Iterator[str]:
    for name, one in kinds.items():
        if one["proposed"]:
            yield (
                f"  {name:<26}{one['proposed']} of {one['sentences']},"
                f" {one['admitted']} admitted unasked"
            )


def _cost_lines(document: Shape) -> Iterator[str]:
    cost = document["cost"]
    rate = cost["sentences_per_cpu_s"]
    tokens = f" · {cost['tokens']:,} tokens" if cost["tokens"] else ""
    speed = "" if rate is None else f"{rate:,} sentences a CPU second · "
    yield f"{speed}{cost['wall_s']} s of reading{tokens}"
    if document["unread"]:
        yield f"{number_of(document['unread'], 'sentence')} without an answer that could be read"
    if document["quarantined"]:
        yield f"{document['quarantined']:,} in another form: candidates, or whole answers"
    yield f"{document['data']['sentences']} · memorycore {document['config']['memorycore']}"


def _wrong_lines(one: Shape) -> Iterator[str]:
    trap = f" [{one['trap']}]" if one["trap"] else ""
    yield f"\n{one_line(one['id'])}{trap}  {one_line(one['text'])}"
    for wanted in one["missed"]:
        yield f"  missed   {_statement(wanted)}"
    for got in one["got"]:
        mark = "wrong" if got in one["wrong"] else "got"
        sure = f"{got['confidence']:.2f}, " if "confidence" in got else ""
        yield f"  {mark:<9}{_statement(got)}   ({sure}{got['decision']} {got['reason']})"


def _statement(shape: Shape) -> str:
    """Write a fact on one line, as it was wanted or proposed."""
    said = shape.get("object", shape.get("value"))
    parts = [shape["predicate"], said["name"] if isinstance(said, dict) else said]
    if shape.get("act", "assert") != "assert":
        parts.insert(0, shape["act"])
    parts += [f"{name} {shape[name]}" for name in ("rank", "valid_from", "valid_to")
              if name in shape]  # fmt: skip
    if isinstance(shape.get("subject"), str):
        parts.append(f"of {shape['subject']}")
    return one_line(" ".join(str(part) for part in parts if part is not None))
