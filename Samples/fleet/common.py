"""What both recipes need: the command, the trace, and the conflicts that one process finds in it."""
import gzip
import json
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
SYNCAUDIT = os.environ.get("SYNCAUDIT", "syncaudit")


def trace():
    """The lines of the trace that is named, or of the one that comes with the package; each twice where TWICE is set."""
    path = sys.argv[1] if len(sys.argv) > 1 else FOLDER.parent / "traces" / "languages-writes.jsonl.gz"
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip()]
    return [line for line in lines for _ in range(2)] if os.environ.get("TWICE") else lines


def record(line):
    """The record that a line writes to; None of a line that concerns all records, as a comparison of clocks."""
    write = json.loads(line)
    return (write["recordType"], write["recordID"]) if write["event"] == "write" else None


def run(arguments, lines, files=("-",)):
    """What the command writes of lines, or of files."""
    return subprocess.run(
        [SYNCAUDIT, *arguments, *map(str, files)], input="".join(line + "\n" for line in lines), capture_output=True, text=True,
        check=True).stdout


def conflicts(output):
    lines = (json.loads(line) for line in output.splitlines() if line)
    return {line["id"]: line for line in lines if line["event"] == "conflict"}


def by_one_process(lines):
    """The conflicts that one process finds, which are the same where its memory does not suffice, and where one record is in memory at a time."""
    whole = conflicts(run(["audit"], lines))
    if not whole:
        sys.exit("there is no conflict in the trace, so there is nothing to hold the engine against")
    expect("conflicts, with little memory", set(conflicts(run(["audit", "--memory", "1"], lines))), set(whole))
    if all(map(record, lines)):
        expect("conflicts, one record at a time", set(conflicts(run(["audit", "--grouped"], sorted(lines, key=record)))), set(whole))
    else:
        print("conflicts, one record at a time: not tried, since some lines concern all records")
    return whole


def expect(what, found, wanted):
    """Ends the recipe where what it found is not what it should have."""
    if found is None or found != wanted:
        sys.exit(f"{what}: {found!r:.300} instead of {wanted!r:.300}")
    print(f"{what}: {f'{len(found)}, ' if isinstance(found, set) else ''}as one process finds")
