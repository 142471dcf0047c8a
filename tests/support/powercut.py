"""What a disk may hold after the power failed: rebuilt from the system calls of a process that wrote.

`record` runs a program under strace and returns what it did to the files of a folder and what it said.
From a prefix of that, `after_power_cut` makes one possible disk: what was synced is there, and of what was
not each 512-byte sector is there or not; names that were made or removed count once their folder is synced.
`after_kill` keeps everything that was written: the kernel lives on.
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

SECTOR_BYTES = 512
CALLS = "openat,pwrite64,write,fdatasync,fsync,ftruncate,unlink"
TRACED_BYTES_MAX = 1 << 20
"""Longest write that the trace shows whole; SQLite writes pages of 4 KiB."""

IGNORED = ("-shm", ".lock")
"""Endings of files that a restart makes anew."""

_CALL = re.compile(
    r"^\d+\s+(?P<name>\w+)\((?:(?P<fd>\d+)<(?P<path>[^>]*)>)?(?:AT_FDCWD<[^>]*>)?(?P<rest>.*)\)"
    r"\s+= (?P<result>-?\d+)"
)
_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class Call:
    """One thing a process did: create, write, truncate, sync or unlink a file, or say something."""

    kind: str
    path: str
    offset: int = 0
    data: bytes = b""


def record(command: Sequence[str], folder: Path, trace: Path) -> list[Call]:
    """Run a program to its end and return what it did inside `folder` and wrote to its output, in order."""
    watched = ["strace", "-f", "-y", "-x", "-e", f"trace={CALLS}", "-e", "signal=none"]
    subprocess.run(
        [*watched, "-s", str(TRACED_BYTES_MAX), "-o", str(trace), *command],
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=120,
    )
    calls = []
    with trace.open(encoding="ascii") as lines:
        for line in lines:
            call = _call(line, str(folder))
            if call is not None:
                calls.append(call)
    return calls


def _call(line: str, folder: str) -> Call | None:
    found = _CALL.match(line)
    if found is None or found["result"].startswith("-"):
        if f"{folder}/" in line and "ENOENT" not in line and "unfinished" in line:
            raise AssertionError(f"more than one thread writes: {line[:200]}")
        return None
    name, path, rest = found["name"], found["path"], found["rest"]
    texts = [ast.literal_eval(f'b"{text}"') for text in _TEXT.findall(rest)]
    if name == "write" and found["fd"] == "1":
        return Call("say", "", 0, texts[0])
    if path is None:
        path = texts[0].decode() if texts else ""
    if path != folder and (not path.startswith(f"{folder}/") or path.endswith(IGNORED)):
        return None
    match name:
        case "openat":
            return Call("create", path) if "O_CREAT" in rest else None
        case "pwrite64":
            return Call("write", path, int(rest.rsplit(",", 1)[1]), texts[0])
        case "ftruncate":
            return Call("truncate", path, int(rest.rsplit(",", 1)[1]))
        case "fdatasync" | "fsync":
            return Call("sync", path)
        case "unlink":
            return Call("unlink", path)
    raise AssertionError(f"a way of writing that is not followed: {line[:200]}")


@dataclass(slots=True)
class _File:
    durable: bytearray = field(default_factory=bytearray)
    pending: list[Call] = field(default_factory=list)


def _write(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


def _apply(content: bytearray, call: Call) -> None:
    if call.kind == "write":
        _write(content, call.offset, call.data)
    else:
        del content[call.offset :]
        content.extend(bytes(call.offset - len(content)))


def _apply_some(content: bytearray, call: Call, random: Random, chance: float) -> None:
    """Apply what of an unsynced call reached the disk: any sectors, in any order."""
    if call.kind == "truncate":
        if random.random() < chance:
            _apply(content, call)
        return
    at = call.offset
    end = at + len(call.data)
    while at < end:
        upto = min(end, (at // SECTOR_BYTES + 1) * SECTOR_BYTES)
        if random.random() < chance:
            _write(content, at, call.data[at - call.offset : upto - call.offset])
        at = upto


class _Disk:
    """The files of a folder, as far as they are certain, and what is not."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self.files: dict[str, _File] = {}
        self._names: list[Call] = []
        self._removed: dict[str, _File] = {}

    def do(self, call: Call) -> None:
        match call.kind:
            case "create":
                if call.path not in self.files:
                    self.files[call.path] = _File()
                    self._names.append(call)
            case "unlink":
                self._removed[call.path] = self.files.pop(call.path)
                self._names.append(call)
            case "sync" if call.path == self._folder:
                self._names.clear()
                self._removed.clear()
            case "sync":
                file = self.files[call.path]
                for pending in file.pending:
                    _apply(file.durable, pending)
                file.pending.clear()
            case "write" | "truncate":
                self.files[call.path].pending.append(call)

    def forget_names(self, random: Random) -> None:
        """Undo from some point on what was done to the folder since it was synced."""
        kept = random.randint(0, len(self._names))
        for call in reversed(self._names[kept:]):
            if call.kind == "unlink":
                self.files[call.path] = self._removed[call.path]
            else:
                self.files.pop(call.path, None)


def _folder_of(calls: Sequence[Call]) -> str:
    return str(Path(next(call.path for call in calls if call.kind == "create")).parent)


def after_power_cut(calls: Sequence[Call], random: Random) -> Mapping[str, bytes]:
    """Return name and content of the files as they may be when the power fails after these calls."""
    disk = _Disk(_folder_of(calls))
    for call in calls:
        disk.do(call)
    disk.forget_names(random)
    chance = random.choice((0.0, 0.5, 0.9, 1.0))
    for file in disk.files.values():
        for pending in file.pending:
            _apply_some(file.durable, pending, random, chance)
    return {Path(path).name: bytes(file.durable) for path, file in disk.files.items()}


def after_kill(calls: Sequence[Call]) -> Mapping[str, bytes]:
    """Return name and content of the files when the process is killed after these calls."""
    disk = _Disk(_folder_of(calls))
    for call in calls:
        disk.do(call)
    for file in disk.files.values():
        for pending in file.pending:
            _apply(file.durable, pending)
    return {Path(path).name: bytes(file.durable) for path, file in disk.files.items()}
