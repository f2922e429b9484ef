"""Runs the audit log's commands and their peers in one session and prints how they compare. Called by run-log, which prepares everything."""
import argparse
import json
import os
import random
import select
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEYS = ("lines", "conflicts", "lost", "kinds", "severities", "winners", "fields")


def run(command):
    """Wall time in seconds, peak memory in MiB, the output and the seconds of processors of a command."""
    with open(WORK / "output", "w+b") as output:
        code = subprocess.run(
            [WORK / "measure", WORK / "measured", *command], stdout=output, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL).returncode
        if code != 0:
            sys.exit(f"compare.py: ended with {code}: {command}")
        seconds, kibibytes, processors = (WORK / "measured").read_text().split()
        output.seek(0)
        return float(seconds), int(kibibytes) / 1024, output.read(), float(processors)


def table(title, header, rows, note=None):
    print(f"\n{title}")
    widths = [max(len(str(row[column])) for row in [header, *rows]) for column in range(len(header))]
    for row in [header, *rows]:
        cells = [str(cell).ljust(width) if column == 0 else str(cell).rjust(width) for column, (cell, width) in enumerate(zip(row, widths))]
        print("  " + "   ".join(cells))
    if note:
        print(f"  {note}")
    sys.stdout.flush()


def same_shape(summary):
    """A peer's counts, without what is 0."""
    return {key: {name: n for name, n in value.items() if n} if isinstance(value := summary[key], dict) else value for key in KEYS}


def of_report(output):
    """The same counts out of what `report --format summary` says."""
    report = json.loads(output)
    result = {key: {} for key in KEYS}
    result.update(conflicts=report["conflicts"], lost=report["editsLost"])
    result["lines"] = report["conflicts"] + report["writesObserved"] + sum(report["otherEvents"].values())
    for part in (report["proven"], report["suspected"]):
        def add(key, name, count):
            if count:
                result[key][name] = result[key].get(name, 0) + count

        for name, count in part["byKind"].items():
            add("kinds", name, count)
        for name, count in part["bySeverity"].items():
            add("severities", name, count)
        for row in part["byWinningDevice"]:
            add("winners", row["device"], row["conflicts"])
        for row in part["byField"]:
            add("fields", row["recordType"] + ("." + row["field"] if "field" in row else ""), row["conflicts"])
    return result


def against_yardstick(tools, rounds):
    """For each tool its times and their ratios to the first tool, which runs right before every run of every other."""
    (first_name, yardstick, _), *_ = tools
    results = {name: ([], [], [], []) for name, _, _ in tools}
    answers = {}
    for round in range(rounds):
        for name, command, most in tools:
            if round >= most:
                continue
            reference = run(yardstick)
            seconds, memory, output, processors = run(command) if name != first_name else reference
            for values, value in zip(results[name], (seconds, seconds / reference[0], memory, processors)):
                values.append(value)
            answers[name] = output
    rows = [
        (name, f"{statistics.median(times):.3f}", f"{statistics.median(ratios):.2f}", f"{min(ratios):.2f}",
            f"{statistics.median(processors):.3f}", f"{max(memory):.0f}", len(times))
        for name, (times, ratios, memory, processors) in results.items()]
    return rows, answers


HEADER = ("", "seconds", "ratio", "lowest", "CPU s", "MiB", "runs")


def reports(rounds):
    log = str(WORK / "log.jsonl")
    tools = [
        ("simdjson, one thread", [WORK / "summary_simdjson", "1", log], rounds),
        ("syncaudit report", [SYNCAUDIT, "report", log], rounds),
        ("simdjson, two threads", [WORK / "summary_simdjson", "2", log], rounds),
        ("wc -l", ["wc", "-l", log], rounds),
        ("DuckDB", [PYTHON, HERE / "Peers/summary_duckdb.py", log], rounds),
        ("polars", [PYTHON, HERE / "Peers/summary_polars.py", log], rounds),
        ("lnav", ["lnav", "-n", "-I", HERE / "Peers/lnav", "-f", HERE / "Peers/lnav/summary.lnav", log], 1),
        ("jq", ["jq", "-n", "-c", "-f", HERE / "Peers/summary.jq", log], 1),
        ("Miller", ["mlr", "--ijsonl", "--ojsonl", "--no-auto-flatten", "put", "-q", "-f", HERE / "Peers/summary.mlr", log], 1),
    ]
    rows, answers = against_yardstick(tools, rounds)
    expected = of_report(run([SYNCAUDIT, "report", "--all-copies", "--format", "summary", log])[2])
    for name, answer in answers.items():
        if name in ("syncaudit report", "wc -l"):
            continue
        answer = json.loads(answer)
        found = same_shape(answer[0]["summary"] if isinstance(answer, list) else answer)
        if found != expected:
            differing = [key for key in KEYS if found[key] != expected[key]]
            sys.exit(f"compare.py: {name} and syncaudit differ in {', '.join(differing)}")
    if answers["wc -l"].split()[0] != str(expected["lines"]).encode():
        sys.exit("compare.py: wc and syncaudit count other numbers of lines")
    size = os.path.getsize(log)
    table(
        f"Report of {expected['lines']:,} lines, {size / 1e6:.0f} MB", HEADER, rows,
        "All agree on lines, conflicts, edits lost, kinds, severities, winning devices and fields. The report also counts records, pairs, days, "
        "reasons, gaps, writes and different conflicts.")


def variants(rounds):
    plain = [SYNCAUDIT, "report", WORK / "log.jsonl"]
    tools = [
        ("as written", plain, rounds),
        ("keys in another order", [*plain[:-1], WORK / "shuffled.jsonl"], rounds),
        ("ten times the lines", [*plain[:-1], WORK / "log10.jsonl"], rounds),
        ("as a summary, with every row", [SYNCAUDIT, "report", "--format", "summary", WORK / "log.jsonl"], rounds),
    ]
    if (WORK / "log.jsonl.gz").exists():
        tools.append(("gzip", [*plain[:-1], WORK / "log.jsonl.gz"], rounds))
    rows, answers = against_yardstick(tools, rounds)
    if answers["as written"] != answers["keys in another order"] or answers["as written"] != answers.get("gzip", answers["as written"]):
        sys.exit("compare.py: the order of keys changes the report")
    table("The same report of other inputs", HEADER, rows)


def audits(rounds):
    trace = WORK / "trace.jsonl"
    tools = [
        ("DuckDB, timestamps alone, count only", [PYTHON, HERE / "Peers/audit_duckdb.py", trace], rounds),
        # Not with -o, which also waits until the lines are on the disk.
        ("syncaudit audit, exact, lines written", [SYNCAUDIT, "audit", trace], rounds),
    ]
    rows, answers = against_yardstick(tools, rounds)
    found = answers[tools[1][0]].count(b"\n")
    table(f"Audit of {os.path.getsize(trace) / 1e6:.0f} MB of writes", HEADER, rows, f"{found:,} conflicts written")


def saved_rows(rounds):
    path = WORK / "table.csv"
    tools = [
        ("DuckDB, values put back, count only", [PYTHON, HERE / "Peers/table_duckdb.py", path], rounds),
        ("syncaudit audit, edits lost, lines written", [SYNCAUDIT, "audit", path], rounds),
    ]
    rows, answers = against_yardstick(tools, rounds)
    found = answers[tools[1][0]].count(b'"event":"conflict"')
    table(
        f"Audit of a table of saved rows, {os.path.getsize(path) / 1e6:.0f} MB", HEADER, rows,
        f"{int(answers[tools[0][0]]):,} values put back, by whomever; {found:,} edits lost")


def encoding(rounds):
    result = json.loads(run([BENCHMARKS, "encode", WORK / "encoded", str(3 * rounds)])[2])
    counts = []
    for times in ("1", "11"):
        output = subprocess.run(
            [BENCHMARKS, "encode-only", WORK / "encoded", times], env={**os.environ, "LD_PRELOAD": str(WORK / "count_allocations.so")},
            capture_output=True, check=True)
        counts.append(int(output.stderr.split()[-1]))
    ours, theirs = result["ours"], result["JSONEncoder"]
    table(
        "One conflict line encoded and appended", ("", "ns", "ratio", "bytes"),
        [("JSONEncoder", f"{theirs:.0f}", "1.0", result["theirBytes"]), ("LineEncoder", f"{ours:.0f}", f"1/{theirs / ours:.1f}", result["ourBytes"])],
        f"Allocations of LineEncoder for each line: {(counts[1] - counts[0]) / 200_000:.4f}")


def following(appends):
    line = next(line for line in open(WORK / "log.jsonl", "rb") if b'"event":"conflict"' in line)
    rows = []
    path = WORK / "followed.jsonl"
    commands = [("tail -F", ["tail", "-n", "0", "-F", path]), ("syncaudit tail -f", [SYNCAUDIT, "tail", "-n", "0", "-f", path]),
                ("syncaudit tail -f --format json", [SYNCAUDIT, "tail", "-n", "0", "-f", "--format", "json", path])]
    generator = random.Random(2026)
    for name, command in commands:
        path.write_bytes(b"")
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        time.sleep(0.5)
        times = []
        with open(path, "ab", buffering=0) as file:
            for _ in range(appends):
                time.sleep(generator.uniform(0.001, 0.02))
                start = time.perf_counter()
                file.write(line)
                received = b""
                while not received.endswith(b"\n"):
                    if not select.select([process.stdout], [], [], 10)[0]:
                        sys.exit(f"compare.py: {name} printed nothing for ten seconds")
                    received += os.read(process.stdout.fileno(), 1 << 16)
                times.append((time.perf_counter() - start) * 1000)
        process.terminate()
        process.wait()
        times.sort()
        rows.append((name, f"{statistics.median(times):.3f}", f"{times[int(0.95 * len(times))]:.3f}", f"{times[-1]:.3f}"))
    table("From append to print, milliseconds", ("", "median", "p95", "longest"), rows)


def short(rounds):
    small = WORK / "hundred.jsonl"
    with open(WORK / "log.jsonl", "rb") as log, open(small, "wb") as file:
        for _ in range(100):
            file.write(log.readline())
    query = f"SELECT json_extract(value, '$.kind'), count(*) FROM json_each('[' || rtrim(replace(readfile('{small}'), char(10), ','), ',') || ']') GROUP BY 1"
    tools = [
        ("syncaudit report", [SYNCAUDIT, "report", small], 20 * rounds),
        ("sqlite3", ["sqlite3", ":memory:", query], 20 * rounds),
        ("jq", ["jq", "-n", "-c", "-f", HERE / "Peers/summary.jq", small], 20 * rounds),
        ("DuckDB", [PYTHON, HERE / "Peers/summary_duckdb.py", small], rounds),
    ]
    rows, _ = against_yardstick(tools, 20 * rounds)
    table("Report of 100 lines, start to end", ("", "ms", *HEADER[2:]), [(row[0], f"{float(row[1]) * 1000:.0f}", *row[2:]) for row in rows])


def slopes(rounds):
    """Concurrent writes of ever more devices to one record: the time must grow as their number does."""
    forms = {
        "seen": lambda number: {"seen": {}},
        "cursor": lambda number: {"cursor": 0, "hubSequence": number + 1},
        "time alone": lambda number: {},
    }
    rows = []
    for fields in ("one field", "a field each"):
        for form, context in forms.items():
            medians = []
            for count in (16_000, 64_000, 256_000):
                path = WORK / "concurrent.jsonl"
                with open(path, "w") as file:
                    for number in range(count):
                        name = "f" if fields == "one field" else f"f{number}"
                        file.write(json.dumps({
                            "event": "write", "ts": f"2026-01-15T14:{number // 60_000:02}:{number // 1000 % 60:02}.{number % 1000:03}Z",
                            "device": f"d{number}", "n": 1, "recordType": "T", "recordID": "1", "op": "put", "fields": {name: number},
                            **context(number)}) + "\n")
                runs = [run([SYNCAUDIT, "audit", path]) for _ in range(rounds)]
                if runs[0][2].count(b"\n") != count - 1:
                    sys.exit(f"compare.py: {count} concurrent writes gave {runs[0][2].count(bytes([10]))} conflicts")
                medians.append(statistics.median(seconds for seconds, *_ in runs))
            rows.append((f"{fields}, {form}", *(f"{seconds:.2f}" for seconds in medians), f"{medians[2] / medians[1]:.1f}"))
    table("Concurrent writes to one record", ("", "16,000", "64,000", "256,000", "slope"), rows, "Four times the writes: 4 is linear. A record of ever more fields also keeps their names in order.")


parser = argparse.ArgumentParser()
parser.add_argument("--work", type=Path, required=True)
parser.add_argument("--syncaudit", required=True)
parser.add_argument("--benchmarks", required=True)
parser.add_argument("--python", required=True)
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--only", default="")
arguments = parser.parse_args()
WORK, SYNCAUDIT, BENCHMARKS, PYTHON = arguments.work, arguments.syncaudit, arguments.benchmarks, arguments.python
parts = {"report": reports, "variants": variants, "audit": audits, "table": saved_rows, "encode": encoding, "follow": lambda rounds: following(60 * rounds), "short": short, "slope": slopes}
for name, measure in parts.items():
    if not arguments.only or name in arguments.only.split(","):
        measure(arguments.rounds)
