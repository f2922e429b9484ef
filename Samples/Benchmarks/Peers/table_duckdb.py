"""What a database finds in a table of saved rows: those that put back a value that the record had before the current one, field by field, counted.

usage: table_duckdb.py FILE"""
import csv
import sys

import duckdb

# The number of the row, the type, the record, the device, two times and the mark of a delete.
OTHERS = 7

fields = next(csv.reader(open(sys.argv[1], encoding="utf-8")))[OTHERS:]
lags = ", ".join(f'lag("{name}") OVER record AS "{name} before"' for name in fields)
changes = " UNION ALL ".join(
    f"""SELECT record_type, record_id, id, '{name}' AS field, "{name}" AS value FROM steps WHERE "{name}" IS DISTINCT FROM "{name} before" """
    for name in fields)
connection = duckdb.connect()
connection.execute("SET threads = 2")
print(connection.execute(
    f"""WITH saves AS (SELECT * FROM read_csv('{sys.argv[1]}', header = true, all_varchar = true, types = {{'id': 'BIGINT'}})),
    steps AS (SELECT *, {lags} FROM saves WINDOW record AS (PARTITION BY record_type, record_id ORDER BY id)),
    changes AS ({changes}),
    values_again AS (
        SELECT row_number() OVER (PARTITION BY record_type, record_id, field, value ORDER BY id) AS time FROM changes WHERE value IS NOT NULL)
    SELECT count(*) FROM values_again WHERE time > 1"""
).fetchone()[0])
