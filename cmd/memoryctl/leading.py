"""Groups whose first word may be something else than a subcommand."""

import click


class TargetFirst(click.Group):
    """A group that takes a target where a subcommand could stand, and hands it to one of them."""

    def __init__(self, *args: object, takes_target: str, **settings: object) -> None:
        super().__init__(*args, **settings)  # type: ignore[arg-type]
        self.takes_target = takes_target

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_help = bool(args) and args[0] in ctx.help_option_names
        if args and args[0] not in self.commands and not is_help:
            args = [self.takes_target, *args]
        return super().parse_args(ctx, args)
