"""What a wheel carries beside the package: the workflow and all that it needs.

It lies in `steadfast/project`, laid out as in a checkout, where `steadfast.core.home` looks for it.
An editable install finds the checkout itself.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PARTS = (
    *("Snakefile", "workflow", "config", "envs", "profiles"),
    *("docs/replications", "docs/reproduce"),
)


class ProjectFiles(BuildHookInterface):
    """Puts the project's folders, and the commands of its rules, into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        commands = Path(self.root, "scripts").glob("*.py")
        for part in (*PARTS, *(f"scripts/{path.name}" for path in sorted(commands))):
            build_data["force_include"][str(Path(self.root, part))] = f"steadfast/project/{part}"
