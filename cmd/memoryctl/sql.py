"""memoryctl sql: read with a SELECT of your own."""

from typing import Any

import click

from memoryctl.options import common_options, settings_of
from memoryctl.output import safe, write_records


@click.command("sql")
@click.argument("query", metavar="'SELECT …'")
@click.option("-p", "params", nargs=2, multiple=True, metavar="NAME VALUE", help="Bind a value.")
@common_options
@click.pass_context
def command(
    ctx: click.Context, /, query: str, params: tuple[tuple[str, str], ...], **given: Any
) -> None:
    """Run one SELECT over views of what the scopes of the call may see. Nothing can be written.

    \b
      memoryctl sql "select speaker, count(*) from episodes group by 1" --scope user:ana
      memoryctl sql "select predicate, count(*) from facts group by 1" --scope user:ana

    \b
      episodes    id scope session role speaker at text source external_id meta operation
      facts       id scope subject predicate object rank fact_type valid_from valid_to
                  confidence importance validity lifecycle pinned operation
      evidence    fact episode scope span_from span_to quote source_class
      links       kind from_id to_id scope
      candidates  id scope proposer place state predicate decision reason fact target
      predicates  name domain label_en label_zh aliases fact_type cardinality
                  conflict_policy temporal object_kind value_type opposite is_ranked
                  tau_days importance is_sensitive
      sessions    scope name
      entities    id scope kind name
      operations  id at actor kind undoes
    """
    settings = settings_of(ctx, given)
    with settings.open(read_only=True) as memory:
        rows = list(memory.sql(query, dict(params)))
    columns = tuple(rows[0]) if rows else ()
    document = {"schema": "memorycore.sql.v1", "ok": True, "rows": rows}

    def cards() -> str:
        return "\n".join("  ".join(safe(str(value)) for value in row.values()) for row in rows)

    write_records(settings, rows, document, columns=columns, cards=cards)
