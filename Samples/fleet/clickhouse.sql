-- Lines of writes, in partitions by record: all writes to a record are in one, and it takes nothing but its own partition to audit it.
CREATE TABLE IF NOT EXISTS trace
(
    line String,
    -- The order of arrival, in which the writes of a partition are audited.
    arrival UInt64,
    -- Lines that are of no record, as comparisons of clocks, go to every partition.
    record UInt64 MATERIALIZED if(
        JSONExtractString(line, 'event') = 'write',
        cityHash64(JSONExtractString(line, 'recordType'), JSONExtractString(line, 'recordID')) % 16, 16)
)
ENGINE = MergeTree PARTITION BY record ORDER BY arrival;

-- Conflicts, each once by its id however often its line came. FINAL, or uniqExact(id), counts what is not merged yet.
CREATE TABLE IF NOT EXISTS conflicts
(
    id FixedString(16),
    ts DateTime64(3, 'UTC'),
    kind LowCardinality(String),
    severity LowCardinality(String),
    basis LowCardinality(String),
    recordType LowCardinality(String),
    recordID String,
    field LowCardinality(String),
    winner LowCardinality(String),
    loser LowCardinality(String),
    reason LowCardinality(String),
    resolution LowCardinality(String)
)
ENGINE = ReplacingMergeTree ORDER BY (recordType, id);

-- What was lost, for a shorter time than that it was lost.
CREATE TABLE IF NOT EXISTS conflict_values
(
    id FixedString(16),
    added DateTime DEFAULT now(),
    winner String,
    loser String
)
ENGINE = ReplacingMergeTree ORDER BY id TTL added + INTERVAL 30 DAY;

-- What is counted by day: a state of distinct ids, so that a line that came twice counts once.
CREATE TABLE IF NOT EXISTS conflicts_daily
(
    day Date,
    recordType LowCardinality(String),
    severity LowCardinality(String),
    conflicts AggregateFunction(uniqExact, FixedString(16))
)
ENGINE = AggregatingMergeTree ORDER BY (day, recordType, severity);

CREATE MATERIALIZED VIEW IF NOT EXISTS conflicts_daily_view TO conflicts_daily AS
SELECT toDate(ts) AS day, recordType, severity, uniqExactState(id) AS conflicts
FROM conflicts GROUP BY day, recordType, severity;

-- Lines as `syncaudit audit` writes them come in here and are divided.
CREATE TABLE IF NOT EXISTS conflict_lines (line String) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS conflicts_view TO conflicts AS
SELECT
    toFixedString(JSONExtractString(line, 'id'), 16) AS id,
    parseDateTime64BestEffort(JSONExtractString(line, 'ts'), 3, 'UTC') AS ts,
    JSONExtractString(line, 'kind') AS kind,
    JSONExtractString(line, 'severity') AS severity,
    JSONExtractString(line, 'basis') AS basis,
    JSONExtractString(line, 'recordType') AS recordType,
    JSONExtractString(line, 'recordID') AS recordID,
    JSONExtractString(line, 'field') AS field,
    JSONExtractString(line, 'winner', 'device') AS winner,
    JSONExtractString(line, 'loser', 'device') AS loser,
    JSONExtractString(line, 'reason') AS reason,
    JSONExtractString(line, 'resolution') AS resolution
FROM conflict_lines WHERE JSONExtractString(line, 'event') = 'conflict';

CREATE MATERIALIZED VIEW IF NOT EXISTS conflict_values_view TO conflict_values AS
SELECT
    toFixedString(JSONExtractString(line, 'id'), 16) AS id,
    JSONExtractRaw(line, 'winner', 'value') AS winner,
    JSONExtractRaw(line, 'loser', 'value') AS loser
FROM conflict_lines WHERE JSONExtractString(line, 'event') = 'conflict';

-- The table of the OpenTelemetry collector's exporter for ClickHouse, as far as it is read here.
CREATE TABLE IF NOT EXISTS otel_logs
(
    Timestamp DateTime64(9),
    SeverityText LowCardinality(String),
    ServiceName LowCardinality(String),
    Body String,
    LogAttributes Map(LowCardinality(String), String)
)
ENGINE = MergeTree ORDER BY (ServiceName, Timestamp);

-- Conflicts that came by OpenTelemetry, each once.
CREATE VIEW IF NOT EXISTS otel_conflicts AS
SELECT
    LogAttributes['syncaudit.id'] AS id,
    min(Timestamp) AS ts,
    any(LogAttributes['syncaudit.kind']) AS kind,
    any(LogAttributes['syncaudit.severity']) AS severity,
    any(LogAttributes['syncaudit.record_type']) AS recordType,
    any(LogAttributes['syncaudit.record_id']) AS recordID
FROM otel_logs WHERE ServiceName = 'syncaudit' AND mapContains(LogAttributes, 'syncaudit.id') GROUP BY id;
