"""Proleptic Gregorian calendar on plain integers, for years far outside `datetime`. Pure.

Days count from 1970-01-01. Years run from -999,999,999 to 999,999,999 as in FEEL; the algorithms
work on eras of 400 years (Howard Hinnant, "chrono-compatible low-level date algorithms").
"""

YEAR_MAX = 999_999_999
"""Largest year either side of zero: the limit of FEEL dates (and of java.time)."""

_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_DAYS_PER_ERA = 146_097
_EPOCH_SHIFT = 719_468


def is_leap_year(year: int) -> bool:
    """Tell whether February of `year` has 29 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year: int, month: int) -> int:
    """Return the number of days of a month (1-12)."""
    return 29 if month == 2 and is_leap_year(year) else _MONTH_DAYS[month - 1]


def days_from_civil(year: int, month: int, day: int) -> int:
    """Return the day number of a date, 0 for 1970-01-01."""
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * _DAYS_PER_ERA + day_of_era - _EPOCH_SHIFT


def civil_from_days(days: int) -> tuple[int, int, int]:
    """Return (year, month, day) of a day number."""
    era, day_of_era = divmod(days + _EPOCH_SHIFT, _DAYS_PER_ERA)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted_month = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * shifted_month + 2) // 5 + 1
    month = shifted_month + (3 if shifted_month < 10 else -9)
    return year_of_era + era * 400 + (month <= 2), month, day


def weekday(days: int) -> int:
    """Return the ISO weekday of a day number: 1 is Monday, 7 is Sunday."""
    return (days + 3) % 7 + 1


def iso_week(year: int, month: int, day: int) -> int:
    """Return the ISO 8601 week of a date (1-53)."""
    days = days_from_civil(year, month, day)
    thursday = days - weekday(days) + 4
    week_year = civil_from_days(thursday)[0]
    return (thursday - days_from_civil(week_year, 1, 1)) // 7 + 1
