"""The ASGI application: routes, problems, headers, pages."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from aurum import __version__
from aurum.bff import problems
from aurum.bff.middleware import BodyLimit, SecurityHeaders
from aurum.bff.routes import (
    agui,
    applications,
    book,
    cases,
    desk,
    evidence,
    fx,
    health,
    internal,
    operator,
    operator_past,
    operator_repairs,
    session,
    streams,
    validation,
    watch,
)
from aurum.bff.services import Services


class Pages(StaticFiles):
    """The static pages; always asked again, so that a new release shows at once."""

    def file_response(self, full_path, stat_result, scope: Scope, status_code: int = 200):  # type: ignore[no-untyped-def]
        """Return the file with a validator but no lifetime."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["Cache-Control"] = "no-cache"
        return response


def create_app(services: Services, web_dir: Path) -> FastAPI:
    """Return the application over running services."""
    app = FastAPI(
        title="AURUM",
        version=__version__,
        description="Process-orchestrated wealth onboarding.",
        middleware=[Middleware(SecurityHeaders), Middleware(BodyLimit)],
        docs_url=None,
        redoc_url=None,
        openapi_url="/openapi.json",
        redirect_slashes=False,
    )
    app.state.services = services
    problems.install(app)
    for module in (
        session,
        validation,
        applications,
        cases,
        desk,
        book,
        operator,
        operator_past,
        operator_repairs,
        evidence,
        streams,
        watch,
        agui,
        fx,
        health,
        internal,
    ):
        app.include_router(module.router)
    app.mount("/", Pages(directory=web_dir, html=True), name="pages")
    return app
