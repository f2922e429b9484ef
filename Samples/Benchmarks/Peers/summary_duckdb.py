"""Counts conflicts with DuckDB. usage: summary_duckdb.py FILE"""
import json
import sys

import duckdb

connection = duckdb.connect()
connection.execute("SET threads = 2")
# The columns are named, so that nothing has to be found out first and no other key is parsed.
connection.execute(
    f"""CREATE TEMP TABLE conflicts AS
    SELECT event, kind, severity, recordType || coalesce('.' || field, '') AS field, winner.device AS winner
    FROM read_json('{sys.argv[1]}', format = 'newline_delimited',
        columns = {{event: 'VARCHAR', kind: 'VARCHAR', severity: 'VARCHAR', recordType: 'VARCHAR', field: 'VARCHAR', winner: 'STRUCT(device VARCHAR)'}})"""
)


def counts(column):
    return dict(connection.execute(f"SELECT {column}, count(*) FROM conflicts WHERE event = 'conflict' GROUP BY 1").fetchall())


lines, conflicts = connection.execute("SELECT count(*), count(*) FILTER (event = 'conflict') FROM conflicts").fetchone()
severities = counts("severity")
lost = sum(severities.get(name, 0) for name in ("lossy", "destructive", "divergent"))
print(json.dumps({"lines": lines, "conflicts": conflicts, "lost": lost, "kinds": counts("kind"), "severities": severities,
                  "winners": counts("winner"), "fields": counts("field")}))
