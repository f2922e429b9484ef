"""Counts conflicts with polars. usage: summary_polars.py FILE"""
import json
import sys

import polars as pl

text = pl.String
lines = pl.scan_ndjson(sys.argv[1], schema={
    "event": text, "kind": text, "severity": text, "recordType": text, "field": text, "winner": pl.Struct({"device": text})})
name = pl.when(pl.col("field").is_null()).then(pl.col("recordType")).otherwise(pl.col("recordType") + "." + pl.col("field"))
selected = lines.select("event", "kind", "severity", name.alias("field"), pl.col("winner").struct.field("device").alias("winner")).collect()
conflicts = selected.filter(pl.col("event") == "conflict")


def counts(column):
    return dict(conflicts.group_by(column).len().iter_rows())


severities = counts("severity")
lost = sum(severities.get(name, 0) for name in ("lossy", "destructive", "divergent"))
print(json.dumps({"lines": selected.height, "conflicts": conflicts.height, "lost": lost, "kinds": counts("kind"), "severities": severities,
                  "winners": counts("winner"), "fields": counts("field")}))
