"""Cron expressions as Camunda takes them: six fields, seconds first, in UTC, with macros. Pure.

Supported: `*`, `?`, lists, ranges, steps, names of months and days, `L` is refused like other
extensions. Day of month and day of week must both match, as in Spring's cron.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

MACROS = {
    "@yearly": "0 0 0 1 1 *",
    "@annually": "0 0 0 1 1 *",
    "@monthly": "0 0 0 1 * *",
    "@weekly": "0 0 0 * * 0",
    "@daily": "0 0 0 * * *",
    "@midnight": "0 0 0 * * *",
    "@hourly": "0 0 * * * *",
}
MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
BOUNDS = ((0, 59), (0, 59), (0, 23), (1, 31), (1, 12), (0, 7))

SEARCH_DAYS_MAX = 366 * 9
"""29 February on a given weekday may be up to 8 years away (1896-1904 style gaps); beyond, never."""


class InvalidCron(ValueError):
    """The text is no cron expression of this subset."""


@dataclass(frozen=True, slots=True)
class Cron:
    """Allowed values per field; weekdays count from Sunday = 0."""

    seconds: tuple[int, ...]
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]

    def _fits(self, day: datetime) -> bool:
        weekday = (day.weekday() + 1) % 7
        return day.month in self.months and day.day in self.days and weekday in self.weekdays

    def next_after(self, moment: datetime) -> datetime | None:
        """Return the first firing strictly after `moment`; None when there is none."""
        start = moment.replace(microsecond=0) + timedelta(seconds=1)
        midnight = start.replace(hour=0, minute=0, second=0)
        for offset in range(SEARCH_DAYS_MAX):
            day = midnight + timedelta(days=offset)
            if not self._fits(day):
                continue
            for hour in self.hours:
                for minute in self.minutes:
                    last = day.replace(hour=hour, minute=minute, second=self.seconds[-1])
                    if last < start:
                        continue
                    times = (last.replace(second=second) for second in self.seconds)
                    return next(time for time in times if time >= start)
        return None


def _number(text: str, names: tuple[str, ...], first: int) -> int:
    if text.upper() in names:
        return names.index(text.upper()) + first
    if not text.isdigit():
        raise InvalidCron(f"{text!r} is no number")
    return int(text)


def _field(text: str, low: int, high: int, names: tuple[str, ...]) -> tuple[int, ...]:
    values: set[int] = set()
    for part in text.split(","):
        span, _, step_text = part.partition("/")
        step = _number(step_text, (), 0) if step_text else 1
        if span in {"*", "?"}:
            begin, end = low, high
        else:
            first, dash, last = span.partition("-")
            begin = _number(first, names, low)
            end = _number(last, names, low) if dash else (high if step_text else begin)
        if step < 1 or not low <= begin <= end <= high:
            raise InvalidCron(f"{part!r} is out of range")
        values.update(range(begin, end + 1, step))
    return tuple(sorted(values))


def parse_cron(text: str) -> Cron:
    """Return the parsed expression; raises InvalidCron."""
    fields = MACROS.get(text.strip(), text).split()
    if len(fields) != len(BOUNDS):
        raise InvalidCron("six fields are needed: second minute hour day month weekday")
    names = ((), (), (), (), MONTHS, DAYS)
    sets = [_field(f, low, high, n) for f, (low, high), n in zip(fields, BOUNDS, names, strict=True)]
    weekdays = frozenset(day % 7 for day in sets[5])
    return Cron(sets[0], sets[1], sets[2], frozenset(sets[3]), frozenset(sets[4]), weekdays)
