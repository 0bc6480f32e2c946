"""Where this project's files are on disk, whatever the workflow was started from.

A checkout and an installed package are folders. Of a repository that Snakemake reads by itself
(github(), gitlab(), gh:owner/name@ref, git+file:), the revision is unpacked once, from the clone that
Snakemake keeps, into .snakemake/steadfast/ of the working folder: jobs need files, not addresses. A
link with the name of the module leads there, so that paths stay as they are when the revision changes
and only jobs whose code has changed run again.

Inputs    the place of this file
Outputs   none: ROOT (the project's folder), IMPORTS (the folder that holds the package)
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path


def project_folder(rules):
    """The folder two above the one of these rules, as a folder on disk."""
    clone = getattr(rules, "repo_path", None)
    if hasattr(rules, "hosted_repo"):
        clone = rules.hosted_repo.repo_clone
    if clone is not None:
        link = Path(".snakemake", "steadfast", workflow.modifier.namespace or "main").absolute()
        set_link(link, unpack(clone, rules.ref, link.parent))
        return link / Path(rules.path).parents[1]
    address = rules.get_path_or_uri(secret_free=True)
    if "://" in address:
        sys.exit(
            f"steadfast: {address}: name the repository by github(…), gitlab(…) or gh:owner/name@ref, "
            "or a folder: of a plain address only single files can be read"
        )
    return Path(address).parents[1]


def unpack(clone, revision, into):
    """The files of a revision, unpacked under the name of its commit; those that are there stay."""
    git = ["git", f"--git-dir={clone if Path(clone, 'HEAD').is_file() else Path(clone, '.git')}"]
    find = [*git, "rev-parse", "--verify", f"{revision}^{{commit}}"]
    commit = subprocess.run(find, check=True, capture_output=True, text=True).stdout.strip()
    folder = into / "revisions" / commit
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as place:
            archive = Path(place, "files.tar")
            subprocess.run([*git, "archive", f"--output={archive}", commit], check=True)
            whole = Path(place, "files")
            whole.mkdir()
            subprocess.run(["tar", "-xf", str(archive), "-C", str(whole)], check=True)
            if not folder.is_dir():
                os.rename(whole, folder)
    return folder


def set_link(link, folder):
    """Let a link lead to a folder; one that leads there already is left alone."""
    if not link.is_symlink() or link.readlink() != folder:
        with tempfile.TemporaryDirectory(dir=link.parent) as place:
            new = Path(place, "link")
            new.symlink_to(folder)
            os.replace(new, link)


ROOT = project_folder(workflow.current_basedir)

# The package lies beside the commands in a checkout, and around the project where it is installed.
IMPORTS = ROOT / "scripts" if (ROOT / "scripts" / "steadfast").is_dir() else ROOT.parents[1]
sys.path.insert(0, str(IMPORTS))
