"""What a database finds in a trace: writes to one field by different devices within a minute, by timestamps alone, counted. usage: audit_duckdb.py FILE"""
import sys

import duckdb

connection = duckdb.connect()
connection.execute("SET threads = 2")
print(connection.execute(
    f"""WITH writes AS (
        SELECT ts, device, recordID, unnest(json_keys(fields)) AS field
        FROM read_json('{sys.argv[1]}', format = 'newline_delimited',
            columns = {{ts: 'TIMESTAMP', device: 'VARCHAR', recordID: 'VARCHAR', fields: 'JSON'}})),
    neighbours AS (
        SELECT ts, device, lag(ts) OVER register AS earlier, lag(device) OVER register AS other
        FROM writes WINDOW register AS (PARTITION BY recordID, field ORDER BY ts))
    SELECT count(*) FROM neighbours WHERE other <> device AND ts - earlier <= INTERVAL 60 SECOND"""
).fetchone()[0])
