import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="redraw the golden stills")
