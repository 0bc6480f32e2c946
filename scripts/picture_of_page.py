"""Take a picture of the top of a page, with Chromium: docs/advise.png."""

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

from steadfast.core import cli
from steadfast.core.errors import UserError

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "advise.png"
#: Pixels: the answer, the warnings, the key numbers and the reasons.
WIDTH, HEIGHT = 1280, 1280
#: A page has few colours; fewer in the file make it a third of the size.
COLOURS = 64
#: More would slow down the document that shows it.
LARGEST = 250_000
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run")


def find_browser() -> str | None:
    """The path of Chromium, if it is installed."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def take_picture(browser: str, page: Path, picture: Path, height: int = HEIGHT) -> int:
    """Write the top of a page as a PNG file and return the size of the file in bytes."""
    with tempfile.TemporaryDirectory() as folder:
        screenshot = Path(folder, "page.png")
        call = [browser, *OPTIONS, f"--user-data-dir={folder}/profile"]
        call += ["--force-device-scale-factor=1", f"--window-size={WIDTH},{height}"]
        call += [f"--screenshot={screenshot}", page.resolve().as_uri()]
        done = subprocess.run(call, capture_output=True, text=True, timeout=120, check=False)
        if not screenshot.exists():
            raise UserError(f"{browser}: no picture of {page}: {done.stderr[-500:]}")
        with Image.open(screenshot) as image:
            few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(picture, optimize=True)
    return picture.stat().st_size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path, help="page.html of a study")
    parser.add_argument("--into", type=Path, default=PICTURE, help="docs/advise.png by default")
    parser.add_argument("--height", type=int, default=HEIGHT, help=f"pixels ({HEIGHT})")
    given = parser.parse_args()

    if not given.page.is_file():
        raise UserError(f"{given.page}: there is no such page")
    browser = find_browser()
    if browser is None:
        print(f"{given.into} was not changed: Chromium is not installed (Debian: chromium)")
        return
    size = take_picture(browser, given.page, given.into, given.height)
    print(f"{given.into}: {size / 1000:.0f} kB")
    if size > LARGEST:
        raise UserError(f"{given.into}: more than {LARGEST // 1000} kB; use a smaller --height")


if __name__ == "__main__":
    cli.run(main)
