"""What pages of the site share: styles, scripts, and fonts with the letters that they hold."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from string import Template

from studio.deliver import fonts

__all__ = ["template", "write_assets"]

_TEMPLATES = Path(__file__).parent / "templates"
_LATIN = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x180)])) + "–—‘’“”…−×·→←≤≥"


def template(name: str) -> Template:
    """A page, or a part of one, whose values are named `$name`."""
    return Template((_TEMPLATES / name).read_text(encoding="utf-8"))


def write_assets(folder: Path, names: Iterable[str]) -> Path:
    """Put the named files and the fonts of the finished pages in `folder` into its `assets`."""
    target = folder / "assets"
    target.mkdir(exist_ok=True)
    for name in names:
        shutil.copyfile(_TEMPLATES / name, target / name)
    pages = [path.read_text(encoding="utf-8") for path in
             [*folder.glob("*.html"), *target.glob("*.js"), *target.glob("*.css")]]
    chinese = "".join(sorted({char for page in pages for char in page if ord(char) > 0x2E7F}))
    for name, data in (("sans", fonts.subset("sans", _LATIN, opsz=14)),
                       ("mono", fonts.subset("mono", _LATIN)),
                       ("cjk", fonts.subset("cjk", chinese))):
        (target / f"{name}.woff2").write_bytes(fonts.woff2(data))
    return target
