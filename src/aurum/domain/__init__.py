"""Onboarding words and rules. Pure: lists, rates, secrets and "today" are always arguments.

Nothing here knows the engine, HTTP or a clock. `audiences` is the one place that decides who may
see which field; `application` is the one place that decides what a valid application is.
"""
