"""memoryctl eval: measure retrieval and extraction on what is known of them."""

import json
from pathlib import Path
from typing import Any

import click

from memorycore import __version__
from memoryctl.eval_extraction import extract, rules
from memoryctl.options import common_options, not_reserved, settings_of
from memoryctl.output import write_text

SHOWN = ("recall@5", "recall@10", "recall@20", "all@10", "mrr", "ndcg@10")


@click.group("eval")
def command() -> None:
    """Measure retrieval on questions with known evidence, extraction on labelled sentences."""


command.add_command(rules)
command.add_command(extract)


def _shared(function: Any) -> Any:
    options = (
        click.option("--stage", type=click.Choice(["retrieval"]), default="retrieval"),
        click.option("--limit", type=click.IntRange(1), help="Ask only the first so many."),
        click.option(
            "--report",
            type=click.Path(dir_okay=False),
            callback=not_reserved,
            help="Write the JSON report.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return common_options(function)


@command.command("file")
@click.argument("episodes", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.argument("queries", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@_shared
@click.pass_context
def file(
    ctx: click.Context,
    /,
    episodes: str,
    queries: str,
    stage: str,
    limit: int | None,
    report: str | None,
    **given: Any,
) -> None:
    """Evaluate on the uniform format: a file of EPISODES and one of QUERIES (JSON lines, .gz too).

    Each query's evidence is a list of episode ids. No store is touched.

    \b
      memoryctl eval file set.episodes.jsonl.gz set.queries.jsonl.gz --stage retrieval
    """
    from memorycore.evaluation import evaluate_files

    document = evaluate_files(episodes, queries, limit=limit, version=__version__)
    _answer(ctx, given, document, report)


@command.command("locomo")
@click.argument("path", type=click.Path(exists=True, dir_okay=False))
@_shared
@click.pass_context
def locomo(
    ctx: click.Context,
    /,
    path: str,
    stage: str,
    limit: int | None,
    report: str | None,
    **given: Any,
) -> None:
    """Evaluate on LoCoMo's own file; its adversarial questions have no evidence to find."""
    from memorycore.evaluation import evaluate_locomo

    document = evaluate_locomo(path, limit=limit, version=__version__)
    _answer(ctx, given, document, report)


def _answer(
    ctx: click.Context, given: dict[str, Any], document: dict[str, Any], report: str | None
) -> None:
    settings = settings_of(ctx, given)
    if report:
        Path(report).write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "utf-8")
    lines = [f"{document['episodes']:,} episodes, retrieval only: no model was used"]
    lines.append(f"{'category':<24}{'n':>6}" + "".join(f"{name:>17}" for name in SHOWN))
    rows = {**document["by_category"], "overall": document["overall"]}
    for category, summary in rows.items():
        cells = "".join(
            f"{summary.get(name, 0):>10.3f} ± {summary['half_width_95'].get(name, 0):.3f}".rjust(17)
            for name in SHOWN
        )
        lines.append(f"{category:<24}{summary['n']:>6}{cells}")
    cost = document["latency_cpu_ms"]
    lines.append(f"CPU a question: median {cost['p50']} ms, 95th percentile {cost['p95']} ms")
    write_text(settings, "\n".join(lines), document)
    if report:
        settings.talk(f"Report: {report} (configuration and hashes of the data)")
