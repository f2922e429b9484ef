import Testing

@testable import AuditLog

@Suite struct RotatedNamesTests {
    @Test(arguments: [
        "log.jsonl.1", "log.jsonl.100", "log.jsonl.old", "log.jsonl-20260115", "log.jsonl_2026-01-15", "log.jsonl.2026-01-15T14:00:00Z",
        "log.1.jsonl", "log-20260115T140000123Z-00000000000000000042.jsonl", "log-2026-01-15.jsonl",
    ]) func earlierFilesOfALog(_ name: String) {
        #expect(RotatedNames(path: "logs/log.jsonl").matches(name))
    }

    @Test(arguments: [
        "log.jsonl", "log.jsonl.1.gz", "log.jsonl.bak", "log.jsonl.conflicts", "log.jsonl1", "log-conflicts.jsonl", "log-2.jsonl",
        "log2.jsonl",
        "log.jsonl.tmp1", "other.jsonl.1", "log.lock", "log.jsonl.", "log.jsonl~", "log..jsonl", "log.json", ".log.jsonl.1", "",
    ]) func otherFilesBesideALog(_ name: String) {
        #expect(!RotatedNames(path: "logs/log.jsonl").matches(name))
    }

    @Test(arguments: [("logs/x/log", "logs/x/"), ("/log", "/"), ("log", "")]) func directoriesArePartsOfPaths(
        path: String, directory: String
    ) {
        #expect(RotatedNames(path: path).directory == directory)
        #expect(RotatedNames(path: path).matches("log.1"))
        #expect(!RotatedNames(path: path).matches("log"))
    }
}
