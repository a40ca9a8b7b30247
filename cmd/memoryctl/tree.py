"""The tree of commands, in the groups that the bare command shows."""

from importlib import import_module
from typing import Any

import click

from memoryctl.options import Settings, common_options

COMMANDS = {
    "Start": {
        "init-db": ("init_db", "Make a memory store."),
        "ingest": ("ingest", "Take conversations in from files or standard input."),
        "remember": ("remember", "Keep one sentence now."),
        "search": ("search", "Find what is known and what was said."),
        "context": ("context", "Write what an agent should know, within a budget."),
    },
    "Learn": {
        "learn": ("learn", "Propose, consolidate and admit in one go."),
        "propose": ("propose", "Take candidates in, to be decided later."),
        "consolidate": ("consolidate", "Say what admitting would do."),
        "admit": ("admit", "Let candidates become facts."),
        "review": ("review", "Decide on what waits for a person."),
        "import": ("importing", "Take in what another memory has kept, and undo it."),
        "review-packet": ("review_packet", "Review what work has shown, by packets and actions."),
    },
    "Look": {
        "history": ("history", "Tell what was ever believed, and when."),
        "as-of": ("as_of", "Show what was true at a time."),
        "explain": ("explain", "Say why a fact is believed."),
        "show": ("show", "Show a record by its id."),
        "list": ("listing", "List facts, episodes, entities and more."),
        "conflicts": ("conflicts", "List open contradictions."),
        "entity": ("entity", "Find, name, merge and split entities."),
        "subject": ("subject", "Find, show and hand out what is held about one person."),
        "predicate": ("predicate", "List, show, set and add predicates."),
        "stats": ("stats", "Count what is in the store."),
        "log": ("log", "List operations, newest first."),
        "sql": ("sql", "Read with a SELECT of your own."),
    },
    "Keep": {
        "forget": ("forget", "Hide, clear, redact or purge."),
        "undo": ("undo", "Take an operation back."),
        "backup": ("backup", "Copy the store into a file of its own."),
        "restore": ("restore", "Put a backup in the store's place."),
        "migrate": ("migrate", "Bring the store's schema up to date."),
        "reindex": ("reindex", "Compare the word indexes with the texts, and mend them."),
        "compact": ("compact", "Give free space back."),
        "doctor": ("doctor", "Check the store and the model."),
        "receipts": ("receipts", "The proof of what was forgotten."),
        "suppression": ("suppression", "What may not come back."),
        "config": ("config", "Show the settings and where each comes from."),
        "where": ("where", "Print which store is used, and why."),
    },
    "Connect": {
        "eval": ("eval", "Measure retrieval and extraction."),
        "completion": ("completion", "Print the completion script of a shell."),
        "help": ("help", "Explain a command or a topic."),
    },
}

_MODULES = {name: entry for group in COMMANDS.values() for name, entry in group.items()}


class Tree(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _MODULES:
            return None
        command = import_module(f"memoryctl.{_MODULES[cmd_name][0]}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _MODULES:
            raise click.NoSuchCommand(args[0], possibilities=list(_MODULES), ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for group, commands in COMMANDS.items():
            with formatter.section(group):
                formatter.write_dl([(name, entry[1]) for name, entry in commands.items()])


EPILOG = (
    "Help on a topic: memoryctl help "
    "output|times|scopes|formats|candidates|imports|packets|reviews|labels|secrets|forgetting|config|"
    "exit-codes"
)


@click.group(
    "memoryctl",
    cls=Tree,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EPILOG,
)
@click.option("--version", is_flag=True, help="Print the version.")
@common_options
@click.pass_context
def cli(ctx: click.Context, /, version: bool, **given: Any) -> None:
    """Long-term memory for AI agents, in one file.

    \b
      memoryctl init-db
      memoryctl ingest chat.jsonl --scope user:ana
      memoryctl learn --from chat.candidates.jsonl --scope user:ana
      memoryctl search "where did I put the spare key?" --scope user:ana
    """
    if version:
        from memorycore import __version__

        click.echo(f"memoryctl {__version__}")
        ctx.exit()
    ctx.obj = Settings.of_group(given)
    if ctx.invoked_subcommand is None:
        click.echo(_overview())


def _overview() -> str:
    lines = ["memoryctl: long-term memory for AI agents, in one file"]
    for group, commands in COMMANDS.items():
        lines.append(f"  {group:<8} {'  '.join(commands)}")
    lines.append("Begin with: memoryctl init-db, then memoryctl ingest FILE")
    lines.append("More: memoryctl COMMAND --help, memoryctl help TOPIC")
    return "\n".join(lines)
