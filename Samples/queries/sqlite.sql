-- A table for the lines of logs, and the conflicts in them, each once, as its last line tells it. Then: .import LOG line
CREATE TABLE IF NOT EXISTS line(json TEXT NOT NULL);
CREATE VIEW IF NOT EXISTS conflict AS
SELECT
    json ->> 'severity' IN ('lossy', 'destructive') AS lost,
    coalesce(json ->> 'recordType' || '.' || (json ->> 'field'), json ->> 'recordType') AS what,
    json ->> 'id' AS id, json ->> 'ts' AS ts, json ->> 'kind' AS kind, json ->> 'severity' AS severity, json ->> 'basis' AS basis,
    json ->> 'recordType' AS recordType, json ->> 'recordID' AS recordID, json ->> 'field' AS field,
    json ->> '$.winner.device' AS winner, json ->> '$.winner.ts' AS winnerTime, json -> '$.winner.value' AS winnerValue,
    json ->> '$.loser.device' AS loser, json ->> '$.loser.ts' AS loserTime, json -> '$.loser.value' AS loserValue,
    json ->> 'gapMs' AS gapMs, json ->> 'policy' AS policy, json ->> 'resolution' AS resolution, json ->> 'auto' AS auto,
    max(rowid)
FROM line
WHERE json ->> 'event' = 'conflict'
GROUP BY json ->> 'id';
-- Each line is one value, whatever is in it.
.mode ascii
.separator "\037" "\n"
