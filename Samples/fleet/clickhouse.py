"""Audits a trace by ClickHouse, one partition of records at a time, and holds the conflicts against those of one process."""
import json
import pathlib
import shutil
import tempfile

from chdb import session

from common import FOLDER, SYNCAUDIT, by_one_process, expect, run, trace

PARTITIONS = range(16)


def strings(query):
    return [row["value"] for row in map(json.loads, str(db.query(query, "JSONEachRow")).splitlines())]


def audit():
    """Each partition by a process of its own, with the lines that concern all."""
    for partition in PARTITIONS:
        db.query(
            f"""INSERT INTO conflict_lines SELECT line FROM executable('audit.sh', 'LineAsString', 'line String',
                (SELECT line FROM trace WHERE record IN ({partition}, 16) ORDER BY arrival))"""
        )


folder = pathlib.Path(tempfile.mkdtemp())
try:
    # A server has this folder under user_scripts_path.
    scripts = folder / "user_scripts"
    scripts.mkdir()
    (scripts / "audit.sh").write_text(f'#!/bin/sh\nexec "{SYNCAUDIT}" audit -\n')
    (scripts / "audit.sh").chmod(0o755)
    db = session.Session(str(folder))
    db.query("CREATE DATABASE IF NOT EXISTS sync")
    db.query("USE sync")
    db.query((FOLDER / "clickhouse.sql").read_text())

    lines = trace()
    whole = by_one_process(lines)
    table = folder / "trace.jsonl"
    table.write_text("".join(json.dumps({"line": line, "arrival": number}) + "\n" for number, line in enumerate(lines)))
    db.query(f"INSERT INTO trace (line, arrival) SELECT line, arrival FROM file('{table}', 'JSONEachRow', 'line String, arrival UInt64')")

    audit()
    expect("conflicts", set(strings("SELECT id AS value FROM conflicts FINAL")), set(whole))
    # Whoever audits the same day again, or gets the lines twice, counts nothing twice.
    audit()
    expect("conflicts, audited again", strings("SELECT toInt64(count()) AS value FROM conflicts FINAL"), [len(whole)])
    daily = "SELECT toInt64(uniqExactMerge(conflicts)) AS value FROM conflicts_daily"
    expect("conflicts by day, audited again", strings(daily), [len(whole)])
    lost = {id for id, line in whole.items() if line["severity"] in ("lossy", "destructive")}
    query = "SELECT id AS value FROM conflicts FINAL WHERE severity IN ('lossy', 'destructive')"
    expect("edits lost", set(strings(query)), lost)
    values = "SELECT toInt64(count()) AS value FROM conflict_values FINAL"
    expect("conflicts with values", strings(values), [len(whole)])

    # What a collector's exporter writes of `syncaudit export -f otlp-logs`.
    rows = []
    for request in run(["export", "-f", "otlp-logs"], map(json.dumps, whole.values())).splitlines():
        for resource in json.loads(request)["resourceLogs"]:
            names = {entry["key"]: entry["value"]["stringValue"] for entry in resource["resource"]["attributes"]}
            for record in (record for scope in resource["scopeLogs"] for record in scope["logRecords"]):
                attributes = {entry["key"]: str(next(iter(entry["value"].values()))) for entry in record["attributes"]}
                rows.append(
                    {"Timestamp": int(record["timeUnixNano"]), "SeverityText": record["severityText"],
                     "ServiceName": names["service.name"], "Body": record["body"]["stringValue"], "LogAttributes": attributes})
    file = folder / "otel.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows * 2))
    db.query(
        f"""INSERT INTO otel_logs SELECT fromUnixTimestamp64Nano(Timestamp), SeverityText, ServiceName, Body, LogAttributes
            FROM file('{file}', 'JSONEachRow',
                'Timestamp Int64, SeverityText String, ServiceName String, Body String, LogAttributes Map(String, String)')"""
    )
    expect("conflicts by OpenTelemetry, each sent twice", set(strings("SELECT id AS value FROM otel_conflicts")), set(whole))
finally:
    shutil.rmtree(folder, ignore_errors=True)
