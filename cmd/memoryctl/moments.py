"""Instants of the store as people read them, in their zone."""

from datetime import UTC, datetime, tzinfo


def local(instant: str, zone: str, *, seconds: bool = False) -> str:
    """Write an instant of a JSON shape as date, time to the minute or second, and offset."""
    moment = _moment(instant, zone)
    offset = moment.strftime("%z")
    clock = f"{moment:%H:%M:%S}" if seconds else f"{moment:%H:%M}"
    return f"{moment:%Y-%m-%d} {clock} {offset[:3]}:{offset[3:5]}"


def local_date(instant: str, zone: str) -> str:
    """Write the date of an instant of a JSON shape."""
    return f"{_moment(instant, zone):%Y-%m-%d}"


def _moment(instant: str, zone: str) -> datetime:
    moment = datetime.fromisoformat(instant)
    try:
        return moment.astimezone(_zone(zone))
    except OverflowError:  # the year 0 or 10000 there
        return moment.astimezone(UTC)


def _zone(name: str) -> tzinfo:
    if name == "UTC":
        return UTC
    if name[0] in "+-":
        found = datetime.strptime(name, "%z").tzinfo
        assert found is not None, "an offset was read"
        return found
    from zoneinfo import ZoneInfo

    return ZoneInfo(name)
