"""When a timer fires: ISO 8601 dates, durations and repetitions, to Unix milliseconds. Pure.

Rule 1: the present is passed in; nothing here reads a clock.
Rule 2: months and years are calendar months; the rest is exact time.
Rule 3: a text that is not understood raises `InvalidSchedule`; it is never guessed.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from aurum_engine.bpmn.cron import Cron, InvalidCron, parse_cron
from aurum_engine.bpmn.model import TimerKind

FOREVER = -1
"""Repetition count of a cycle without end."""

_DURATION = re.compile(
    r"(?P<sign>[+-])?P(?:(?P<years>-?\d+)Y)?(?:(?P<months>-?\d+)M)?(?:(?P<weeks>-?\d+)W)?(?:(?P<days>-?\d+)D)?"
    r"(?:T(?:(?P<hours>-?\d+)H)?(?:(?P<minutes>-?\d+)M)?(?:(?P<seconds>-?\d+)(?:\.(?P<fraction>\d{1,9}))?S)?)?"
)
_CYCLE = re.compile(r"R(?P<count>\d*)/(?P<rest>.+)", re.DOTALL)
_ZONE = re.compile(r"(?P<local>.+?)(?:\[(?P<java>[^\]]+)\]|@(?P<feel>[\w/+-]+))", re.DOTALL)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class InvalidSchedule(ValueError):
    """A timer text is no valid date, duration or cycle."""


@dataclass(frozen=True, slots=True)
class Duration:
    """Calendar months plus exact milliseconds, both signed."""

    months: int
    milliseconds: int

    def after(self, start_ms: int) -> int:
        """Return the moment this long after `start_ms`."""
        moment = start_ms
        if self.months:
            start = _moment(start_ms)
            index = start.year * 12 + start.month - 1 + self.months
            year, month = divmod(index, 12)
            if not 1 <= year <= 9998:
                raise InvalidSchedule("the date is out of range")
            day = min(start.day, monthrange(year, month + 1)[1])
            moment = _milliseconds(start.replace(year=year, month=month + 1, day=day))
        return moment + self.milliseconds


@dataclass(frozen=True, slots=True)
class Schedule:
    """A timer ready to be armed: first firing, how often in all, and the text for the next ones."""

    due_ms: int
    repetitions: int
    cycle: str


def _moment(milliseconds: int) -> datetime:
    try:
        return _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        raise InvalidSchedule("the date is out of range") from None


def _milliseconds(moment: datetime) -> int:
    delta = moment - _EPOCH
    return (delta.days * 86_400 + delta.seconds) * 1_000 + delta.microseconds // 1_000


def parse_duration(text: str) -> Duration:
    """Return an ISO 8601 duration."""
    match = _DURATION.fullmatch(text.strip())
    parts = {} if match is None else {k: v for k, v in match.groupdict().items() if v is not None}
    if match is None or not (parts.keys() - {"sign", "fraction"}) or text.strip().endswith("T"):
        raise InvalidSchedule(f"{text!r} is no ISO 8601 duration")
    number = {name: int(parts.get(name, 0)) for name in ("years", "months", "weeks", "days", "hours")}
    minutes, seconds = int(parts.get("minutes", 0)), int(parts.get("seconds", 0))
    fraction_ms = int((parts.get("fraction", "") + "000")[:3]) if "fraction" in parts else 0
    if parts.get("seconds", "").startswith("-"):
        fraction_ms = -fraction_ms
    days = number["weeks"] * 7 + number["days"]
    exact = (((days * 24 + number["hours"]) * 60 + minutes) * 60 + seconds) * 1_000 + fraction_ms
    sign = -1 if parts.get("sign") == "-" else 1
    return Duration(sign * (number["years"] * 12 + number["months"]), sign * exact)


def parse_date(text: str) -> int:
    """Return an ISO 8601 date and time with offset or zone, in Unix milliseconds."""
    stripped = text.strip()
    zoned = _ZONE.fullmatch(stripped)
    local = stripped if zoned is None else zoned["local"]
    try:
        moment = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", local))
        if zoned is not None and moment.tzinfo is None:
            moment = moment.replace(tzinfo=ZoneInfo(zoned["java"] or zoned["feel"]))
    except (ValueError, OverflowError, KeyError) as error:
        raise InvalidSchedule(f"{text!r} is no ISO 8601 date and time: {error}") from None
    if "T" not in local or moment.tzinfo is None:
        raise InvalidSchedule(f"{text!r} needs a date, a time and an offset or a zone")
    return _milliseconds(moment.astimezone(UTC))


def _parse_cycle(text: str) -> tuple[int, int | None, Duration | Cron]:
    match = _CYCLE.fullmatch(text.strip())
    if match is None:
        try:
            return FOREVER, None, parse_cron(text)
        except InvalidCron as error:
            raise InvalidSchedule(f"{text!r} is neither a repetition nor cron: {error}") from None
    count = int(match["count"]) if match["count"] else FOREVER
    parts = match["rest"].split("/")
    if count == 0 or len(parts) > 2:
        raise InvalidSchedule(f"{text!r} is no repeating interval")
    start_ms = parse_date(parts[0]) if len(parts) == 2 else None
    interval = parse_duration(parts[-1])
    if interval.after(0) <= 0:
        raise InvalidSchedule(f"{text!r} has an interval that does not move forward")
    return count, start_ms, interval


def schedule(kind: TimerKind, text: str, now_ms: int) -> Schedule:
    """Return when a timer armed at `now_ms` fires. A moment in the past is due at once."""
    if kind is TimerKind.DATE:
        return Schedule(parse_date(text), 1, "")
    if kind is TimerKind.DURATION:
        return Schedule(parse_duration(text).after(now_ms), 1, "")
    count, start_ms, interval = _parse_cycle(text)
    if start_ms is not None and start_ms >= now_ms:
        due_ms = start_ms
    elif start_ms is not None and isinstance(interval, Duration):
        due_ms = _next_from(start_ms, interval, now_ms)
    else:
        due_ms = _following(interval, now_ms)
    return Schedule(due_ms, count, text)


def _following(interval: Duration | Cron, after_ms: int) -> int:
    if isinstance(interval, Duration):
        return interval.after(after_ms)
    found = interval.next_after(_moment(after_ms))
    if found is None:
        raise InvalidSchedule("the cron expression never fires")
    return _milliseconds(found)


def _next_from(start_ms: int, interval: Duration, now_ms: int) -> int:
    """Return the first moment of the grid start, start + interval ... that is not before now."""
    if not interval.months:
        steps = -(-(now_ms - start_ms) // interval.milliseconds)
        return start_ms + steps * interval.milliseconds
    moment = start_ms
    while moment < now_ms:
        moment = interval.after(moment)
    return moment


def next_of_cycle(text: str, due_ms: int) -> int:
    """Return when a cycle fires after the firing that was due at `due_ms`."""
    _, _, interval = _parse_cycle(text)
    return _following(interval, due_ms)


def check(kind: TimerKind, text: str) -> str | None:
    """Return why a fixed timer text is invalid; None when it is fine."""
    try:
        schedule(kind, text, 0)
    except InvalidSchedule as error:
        return str(error)
    return None
