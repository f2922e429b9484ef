"""Makes of a trace the table of a server that takes whole records: each write becomes the row that its author's form showed, with what it edited.

The rows come as CSV on standard output: the trace in the server's order, as many copies of it as it takes, each with other records. usage: make-table.py TRACE ROWS"""
import csv
import json
import sys

# Fields that nobody uses any more would make a table that hardly anybody has.
COMMON = 0.01


def saves(path):
    """The saves of a trace in its order: type, record, device, both times, and the fields as the form shows them; None for a delete."""
    history = {}
    for line in open(path, encoding="utf-8"):
        write = json.loads(line)
        if write.get("event") != "write":
            continue
        key = (write["recordType"], write["recordID"])
        versions = history.setdefault(key, [])
        form = {}
        for device, number, fields in versions:
            if number <= write.get("seen", {}).get(device, 0) or device == write["device"]:
                form = {} if fields is None else {**form, **fields}
        fields = None if write["op"] == "delete" else write["fields"]
        versions.append((write["device"], write["n"], fields))
        yield *key, write["device"], write["ts"], write.get("received", write["ts"]), None if fields is None else {**form, **fields}


def cell(value):
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


rows = sorted(saves(sys.argv[1]), key=lambda row: row[4])
used = {}
for row in rows:
    for name, value in (row[5] or {}).items():
        used[name] = used.get(name, 0) + (value is not None)
names = sorted(name for name, count in used.items() if count >= COMMON * len(rows))
output = csv.writer(sys.stdout, lineterminator="\n")
output.writerow(["id", "record_type", "record_id", "device_id", "edited_at", "received_at", "deleted", *names])
for number in range(int(sys.argv[2])):
    copy, index = divmod(number, len(rows))
    kind, record, device, edited, received, fields = rows[index]
    values = [cell((fields or {}).get(name)) for name in names]
    output.writerow([number + 1, kind, f"{copy}~{record}", device, edited, received, "true" if fields is None else "false", *values])
