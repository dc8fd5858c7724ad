"""The pages on which players teach sets of pieces."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask

from web.table.parts import Parts
from web.table.sets.teach import teach_views
from web.table.sets.training_jobs import TrainingJobs


@dataclass(frozen=True, slots=True)
class SetsWing:
    """The sets of pieces that are taught here."""

    jobs: TrainingJobs

    def add_to(self, app: Flask, parts: Parts) -> None:
        app.register_blueprint(teach_views(self.jobs, parts.pictures))
