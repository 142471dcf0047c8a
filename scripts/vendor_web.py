"""Reproduces `src/aurum/web/vendor/` from the npm packages named below.

The pages have no build step, so third-party modules are kept in the tree as published: one prebuilt
ES module a package, its licence, and `checksums.txt` over all of them. Three edits are made and no
other: bare import specifiers (`"preact"`) become relative ones (`"./preact.js"`), because an import
map would need an inline script, which the content security policy forbids; the pointer to a source
map that is not shipped is cut off; and a first line keeps type checkers from looking at it.

`python scripts/vendor_web.py` writes the folder; `--check` changes nothing and fails if what is in
the tree differs from what the packages give. Needs `npm`.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

VENDOR = Path(__file__).resolve().parent.parent / "src" / "aurum" / "web" / "vendor"

_SPECIFIER = re.compile(r"""(\bfrom|\bimport)(\s*)(["'])([^"'./][^"']*)\3""")
_SOURCE_MAP = re.compile(r"\s*//# sourceMappingURL=\S+\s*\Z")


@dataclass(frozen=True, slots=True)
class Module:
    """One file of one package. `specifier` is what others import it by, `target` its name here."""

    package: str
    version: str
    member: str
    specifier: str
    target: str


MODULES = (
    Module("preact", "11.2.0", "dist/preact.mjs", "preact", "preact.js"),
    Module("preact", "11.2.0", "hooks/dist/hooks.mjs", "preact/hooks", "hooks.js"),
    Module("htm", "3.1.1", "dist/htm.mjs", "htm", "htm.js"),
    Module(
        "@preact/signals-core", "1.14.5", "dist/signals-core.mjs", "@preact/signals-core", "signals-core.js"
    ),
    Module("@preact/signals", "2.11.4", "dist/signals.mjs", "@preact/signals", "signals.js"),
)


ASSETS = (
    Module("@bpmn-io/form-js", "1.23.0", "dist/form-viewer.umd.js", "", "form-viewer.js"),
    Module("@bpmn-io/form-js", "1.23.0", "dist/assets/form-js-base.css", "", "form-js.css"),
    Module("bpmn-js", "18.31.1", "dist/bpmn-navigated-viewer.production.min.js", "", "bpmn-viewer.js"),
    Module("bpmn-js", "18.31.1", "dist/assets/diagram-js.css", "", "diagram-js.css"),
)
"""Files that are no ES modules: kept byte for byte, loaded by a page when it needs them.

form-js renders the deployed forms of decisions, bpmn-js the process as it was deployed. Their licences ask
that the bpmn.io mark stays visible.
"""


def relative(source: str) -> str:
    """Return the module with relative imports. Raises KeyError for a package that is not vendored."""
    targets = {module.specifier: module.target for module in MODULES}

    def replaced(match: re.Match[str]) -> str:
        word, gap, quote, specifier = match.groups()
        return f"{word}{gap}{quote}./{targets[specifier]}{quote}"

    return "// @ts-nocheck\n" + _SOURCE_MAP.sub("\n", _SPECIFIER.sub(replaced, source))


def packed(package: str, version: str, folder: Path) -> tarfile.TarFile:
    """Return the package's own archive, fetched by npm into `folder`."""
    command = ["npm", "pack", f"{package}@{version}", "--silent", "--pack-destination", str(folder)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return tarfile.open(folder / done.stdout.split()[-1])


def text_of(archive: tarfile.TarFile, member: str) -> str:
    """Return a file of a package. Raises KeyError when the package has none by that name."""
    file = archive.extractfile(f"package/{member}")
    if file is None:
        raise KeyError(member)
    return file.read().decode()


def contents() -> dict[str, str]:
    """Return file name -> text of the whole folder, with the checksums last."""
    files: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        archives = {
            (m.package, m.version): packed(m.package, m.version, Path(folder))
            for m in reversed((*MODULES, *ASSETS))
        }
        for module in (*MODULES, *ASSETS):
            archive = archives[module.package, module.version]
            text = text_of(archive, module.member)
            files[module.target] = relative(text) if module in MODULES else text
            flat = module.package.replace("@", "").replace("/", "-")
            files[f"LICENSE.{flat}.txt"] = text_of(archive, "LICENSE")
        for archive in archives.values():
            archive.close()
    rows = [f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in sorted(files.items())]
    origin = [
        f"# {module.target}: {module.package} {module.version} {module.member}\n"
        for module in (*MODULES, *ASSETS)
    ]
    files["checksums.txt"] = "".join(origin + rows)
    return files


def main() -> int:
    """Write or check the folder; 1 when a check finds a difference."""
    parser = argparse.ArgumentParser(description="Reproduce the vendored modules of the pages.")
    parser.add_argument("--check", action="store_true", help="change nothing, fail on a difference")
    check = parser.parse_args().check
    files = contents()
    if check:
        here = {path.name: path.read_bytes().decode() for path in VENDOR.iterdir()}
        different = sorted(name for name in files.keys() | here.keys() if files.get(name) != here.get(name))
        report = "".join(f"differs: {name}\n" for name in different)
        sys.stdout.write(report or "vendor/ is as published\n")
        return 1 if different else 0
    VENDOR.mkdir(parents=True, exist_ok=True)
    for path in VENDOR.iterdir():
        path.unlink()
    for name, text in files.items():
        (VENDOR / name).write_bytes(text.encode())
    sys.stdout.write(f"wrote {len(files)} files to {VENDOR}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
