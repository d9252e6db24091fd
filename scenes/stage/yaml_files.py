"""YAML files read strictly: no key twice; and where in the file a value stands, for messages."""

from pathlib import Path
from typing import Any

import yaml

__all__ = ["WordsError", "place", "read_yaml"]

_ROOT = Path(__file__).parents[2]


class WordsError(ValueError):
    """A words file lacks a key, or a text cannot be said, shown or filled; names file and line."""


class _Strict(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """In C where PyYAML was built with it, which is ten times as fast."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        keys = [(key.tag, key.value) for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if len(keys) > len(set(keys)):
            twice = next(key for k, key in enumerate(keys) if key in keys[:k])
            again = [key for key, _ in node.value if (key.tag, key.value) == twice][-1]
            raise yaml.MarkedYAMLError(None, None, f"the key {twice[1]!r} stands twice",
                                       again.start_mark)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path) -> Any:
    """A YAML file. Raises WordsError, naming file and line, for what is none."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), _Strict)
    except UnicodeDecodeError as error:
        before = path.read_bytes()[:error.start]
        raise WordsError(f"{_named(path)}:{before.count(10) + 1}: not UTF-8; save the file as "
                         "UTF-8") from None
    except yaml.MarkedYAMLError as error:
        line = f":{error.problem_mark.line + 1}" if error.problem_mark else ""
        raise WordsError(f"{_named(path)}{line}: {error.problem}") from None
    except yaml.YAMLError as error:
        raise WordsError(f"{_named(path)}: {' '.join(str(error).split())}") from None


def place(path: Path, *keys: str | int) -> str:
    """"scenes/act04_scheduler/en.yaml:37": where the value behind these keys begins.

    Of keys that are not there, the last one that is.
    """
    node, line = yaml.compose(path.read_text(encoding="utf-8"), _Strict), 1
    for key in keys:
        if isinstance(node, yaml.MappingNode):
            found = [pair for pair in node.value if pair[0].value == key]
            if not found:
                break
            line, node = found[0][0].start_mark.line + 1, found[0][1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            node = node.value[key]
            line = node.start_mark.line + 1
    return f"{_named(path)}:{line}"


def _named(path: Path) -> str:
    return (path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path).as_posix()
