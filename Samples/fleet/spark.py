"""Audits a trace by Spark, each partition of records by a process, and holds the conflicts against those of one process."""
import json
import pathlib
import tempfile

from pyspark.sql import SparkSession

from common import FOLDER, SYNCAUDIT, by_one_process, conflicts, expect, record, run, trace

PARTITIONS = 8


def placed(item):
    """A line with the partitions that need it, and its order of arrival."""
    line, arrival = item
    key = record(line)
    targets = range(PARTITIONS) if key is None else [record_hash(key) % PARTITIONS]
    return [((target, arrival), line) for target in targets]


def record_hash(key):
    """A hash that is the same in every process, which Python's own of a string is not."""
    value = 0
    for byte in "\0".join(key).encode():
        value = (value * 1_099_511_628_211 + byte) % 2**61
    return value


spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
# The workers read records by it.
spark.sparkContext.addPyFile(str(FOLDER / "common.py"))
try:
    lines = trace()
    whole = by_one_process(lines)
    traces = (
        spark.sparkContext.parallelize(lines, 4).zipWithIndex().flatMap(placed)
        # A partition holds its lines in the order of their arrival.
        .repartitionAndSortWithinPartitions(PARTITIONS, lambda key: key[0]).values()
    )
    # checkCode: a process that fails ends the job instead of leaving conflicts out. A partition may be empty.
    audited = traces.pipe(f"""sh -c 'if read -r line; then {{ printf "%s\\n" "$line"; cat; }} | "{SYNCAUDIT}" audit -; fi'""", checkCode=True)
    audited.cache()
    expect("conflicts", set(conflicts("\n".join(audited.collect()))), set(whole))

    # A summary of each part, and one report over all.
    summaries = audited.pipe(f""""{SYNCAUDIT}" report --format summary -""", checkCode=True).glom().map("\n".join).collect()
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, summary in enumerate(summaries):
            paths.append(pathlib.Path(folder) / f"{number}.json")
            paths[-1].write_text(summary + "\n")
        report = run(["report", "--format", "json"], [], paths)
    whole_report = run(["report", "--format", "json"], map(json.dumps, whole.values()))
    for part in ["proven", "suspected", "byField", "byDevicePair"]:
        expect(f"one report over all parts, {part}", json.loads(report).get(part), json.loads(whole_report).get(part))
finally:
    spark.stop()
