"""Sources that change under a render."""

import shutil
from pathlib import Path

import pytest
from studio_house import build, script


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return build(tmp_path_factory.mktemp("edited"))


EDITED = """
import sys
from pathlib import Path
from studio.errors import StudioError
from studio.render.order import Order
from studio.render.plan import RenderPlan
from studio.render.pool import draw_segments
from studio.render.store import Store
if __name__ == "__main__":
    out, act = Path(sys.argv[1]), Path("scenes/act01_probe/beats.py")
    job = RenderPlan.of(Order("act01", "tiny")).job()
    act.write_text(act.read_text() + "# an edit while the act is planned\\n")
    try:
        draw_segments([job], Store.beside(out), 1, out, lambda *_: None)
    except StudioError as error:
        print(error)
"""


def test_a_file_edited_while_rendering_spoils_no_kept_beat(house, tmp_path):
    house = Path(shutil.copytree(house, tmp_path / "house"))
    assert "files were changed while rendering" in script(house, EDITED, str(tmp_path))
    assert not (tmp_path / ".studio/segments").exists()
