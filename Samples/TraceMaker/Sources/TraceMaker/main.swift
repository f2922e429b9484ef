import AuditLog
import ConflictAudit
import SyncModel

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

// Makes traces by the package's own parts, the same every time. Without arguments the sample trace, which the quickstart uses where no other is at
// hand; otherwise many devices on few records, as long as one likes.
//
//     swift run --package-path Samples/TraceMaker TraceMaker > Samples/traces/business-cards.jsonl
//     swift run -c release --package-path Samples/TraceMaker TraceMaker counters 200000 > counters.jsonl

/// Prints writes as a trace.
func print(_ writes: some Sequence<TaggedWrite>) {
    var buffer: [UInt8] = []
    for write in writes {
        LineEncoder.append(AuditLine(event: AuditEvent(at: write.timestamp.wallTime, .write(write))), to: &buffer)
    }
    print(String(decoding: buffer, as: UTF8.self), terminator: "")
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.isEmpty {
    print(BusinessCards.trace())
} else if let shape = SharedRecords.Shape(rawValue: arguments[0]), (2...4).contains(arguments.count),
    let numbers = Optional(arguments.dropFirst().compactMap { Int($0) }), numbers.count == arguments.count - 1,
    numbers.allSatisfy({ $0 > 0 })
{
    var records = SharedRecords(shape: shape, writes: numbers[0])
    if numbers.count > 1 { records.devices = numbers[1] }
    if numbers.count > 2 { records.records = numbers[2] }
    print(records.trace())
} else {
    let shapes = SharedRecords.Shape.allCases.map(\.rawValue).joined(separator: "|")
    let usage = "usage: TraceMaker [\(shapes) WRITES [DEVICES [RECORDS]]]\n"
    _ = usage.withCString { unsafe write(STDERR_FILENO, $0, strlen($0)) }
    exit(64)
}
