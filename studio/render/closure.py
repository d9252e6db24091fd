"""The files of this repository that a module's behaviour depends on: its import closure.

Read from the source, without importing anything. A name that a package's `__init__` only passes on
(`from scenes.kit import Grid`) leads to the file that defines it, not to the whole package: what
such an `__init__` does besides is taken to have no effect on others.
"""

import ast
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

__all__ = ["ImportGraph"]


class ImportGraph:
    """Who imports whom below `root`; files are read once, when they are met first."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._modules: dict[Path, _Module] = {}
        self._closures: dict[tuple[Path, frozenset[Path]], frozenset[Path]] = {}

    def closure(self, module: Path, skip: frozenset[Path] = frozenset()) -> frozenset[Path]:
        """The module's file and all that it imports, directly or not; `skip` is not followed."""
        key = module, skip
        if key not in self._closures:
            found, waiting = {module}, [module]
            while waiting:
                new = self.imports(waiting.pop()) - found - skip
                found |= new
                waiting += new
            self._closures[key] = frozenset(found)
        return self._closures[key]

    def imports(self, path: Path) -> frozenset[Path]:
        """The files that a file imports directly."""
        module = self._module(path)
        if module.targets is None:
            module.targets = frozenset(self._targets(module))
        return module.targets

    def strings(self, path: Path) -> frozenset[str]:
        """All string constants in a file."""
        return self._module(path).strings

    def _module(self, path: Path) -> "_Module":
        if path not in self._modules:
            self._modules[path] = _Module(path, self.root)
        return self._modules[path]

    def _file(self, dotted: str) -> Path | None:
        """The file of a module such as "scenes.kit", or None for one from elsewhere."""
        base = self.root.joinpath(*dotted.split("."))
        files = base.with_suffix(".py"), base / "__init__.py"
        return next((file for file in files if file.is_file()), None) if dotted else None

    def _targets(self, module: "_Module") -> Iterator[Path]:
        for node in module.import_nodes:
            if isinstance(node, ast.Import):
                files = (self._file(alias.name) for alias in node.names)
                yield from (file for file in files if file)
                continue
            package = module.absolute(node)
            for alias in node.names:
                yield from self._named(module, package, alias.name, alias.asname or alias.name)

    def _named(self, module: "_Module", package: str, name: str, bound: str) -> Iterator[Path]:
        """Files behind `from package import name as bound`."""
        submodule = self._file(f"{package}.{name}")
        if submodule and submodule.name == "__init__.py" and name != "*":
            used = module.attributes_used(bound)
            if used is None:  # the package itself is handed on
                yield submodule
                return
            for attribute in used:
                yield self._definition(f"{package}.{name}", attribute) or submodule
        elif found := submodule or self._definition(package, name):
            yield found

    def _definition(self, package: str, name: str) -> Path | None:
        """The file that defines `name`, through packages that pass it on; None: elsewhere."""
        if submodule := self._file(f"{package}.{name}"):
            return submodule
        file = self._file(package)
        if file is None or file.name != "__init__.py":
            return file
        module = self._module(file)
        for node in module.import_nodes:
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        return self._definition(module.absolute(node), alias.name)
        return file


class _Module:
    """One parsed file."""

    def __init__(self, path: Path, root: Path) -> None:
        try:
            self._tree = ast.parse(path.read_bytes(), filename=str(path))
        except ValueError as error:  # NUL bytes
            raise SyntaxError(str(error), (str(path), None, None, None)) from None
        parts = path.relative_to(root).with_suffix("").parts
        self._package = parts[:-1]  # what a relative import starts from, also in an __init__
        self.targets: frozenset[Path] | None = None

    @cached_property
    def import_nodes(self) -> list[ast.Import | ast.ImportFrom]:
        """All imports, inside functions too, but not those for type checkers alone."""
        found: list[ast.Import | ast.ImportFrom] = []
        waiting: list[ast.AST] = [self._tree]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Import | ast.ImportFrom):
                found.append(node)
            elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
                waiting += node.orelse
            else:
                waiting += ast.iter_child_nodes(node)
        return found

    def absolute(self, node: ast.ImportFrom) -> str:
        """The dotted name of the module that an import statement names."""
        above = self._package[:len(self._package) - node.level + 1] if node.level else ()
        return ".".join([*above, *([node.module] if node.module else [])])

    def attributes_used(self, name: str) -> set[str] | None:
        """Which attributes of a bound name are used; None when it is used by itself too."""
        nodes = list(ast.walk(self._tree))
        with_attribute = {id(node.value): node.attr for node in nodes
                          if isinstance(node, ast.Attribute)
                          and isinstance(node.value, ast.Name) and node.value.id == name}
        alone = [node for node in nodes if isinstance(node, ast.Name) and node.id == name
                 and id(node) not in with_attribute]
        return None if alone else set(with_attribute.values())

    @cached_property
    def strings(self) -> frozenset[str]:
        return frozenset(node.value for node in ast.walk(self._tree)
                         if isinstance(node, ast.Constant) and isinstance(node.value, str))
