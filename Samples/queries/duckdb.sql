-- The conflicts in logs, each once, as its latest line tells it:  FROM conflicts('logs/*.jsonl')
CREATE OR REPLACE MACRO conflicts(logs) AS TABLE
SELECT
    severity IN ('lossy', 'destructive') AS lost,
    coalesce(recordType || '.' || field, recordType) AS what,
    *
FROM
    read_json(logs, format = 'newline_delimited', columns = {
        ts: 'TIMESTAMP', event: 'VARCHAR', id: 'VARCHAR', kind: 'VARCHAR', severity: 'VARCHAR', basis: 'VARCHAR',
        recordType: 'VARCHAR', recordID: 'VARCHAR', field: 'VARCHAR',
        winner: 'STRUCT(device VARCHAR, n UBIGINT, ts TIMESTAMP, op VARCHAR, value JSON)',
        loser: 'STRUCT(device VARCHAR, n UBIGINT, ts TIMESTAMP, op VARCHAR, value JSON)',
        gapMs: 'BIGINT', withinWindow: 'BOOLEAN', policy: 'VARCHAR', resolution: 'VARCHAR', reason: 'VARCHAR',
        auto: 'BOOLEAN', clockSuspect: 'BOOLEAN'
    })
WHERE event = 'conflict'
QUALIFY row_number() OVER (PARTITION BY id ORDER BY ts DESC) = 1;
