"""Where the project's own files are: workflow, config, bundled tables, commands."""

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def project_folder() -> Path:
    """The folder with Snakefile, workflow/ and config/: a checkout, or its copy in the package."""
    installed = _PACKAGE / "project"
    return installed if installed.is_dir() else _PACKAGE.parents[1]
