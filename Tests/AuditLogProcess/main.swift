import AuditLog
import ConflictAudit
import SyncModel
import SyncSystem

// AuditLogProcess hold DIRECTORY                       opens the log, says so and waits for the end of standard input
// AuditLogProcess write DIRECTORY each|batch FIRST     records numbered events until it is killed and prints the numbers that are acknowledged

func say(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
}

func waitForEndOfInput() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe bytes.withUnsafeMutableBytes({ unsafe read(0, $0.baseAddress, $0.count) }) > 0 {}
}

let arguments = CommandLine.arguments
var configuration = AuditLogWriter.Configuration()
configuration.retention = .everything

do {
    switch arguments.dropFirst().first {
    case "hold":
        let writer = try AuditLogWriter(directory: arguments[2], source: "held", configuration: configuration)
        say("\(getpid())")
        waitForEndOfInput()
        writer.close()
    case "write":
        let isEach = arguments[3] == "each"
        configuration.flush = isEach ? .eachLine : .onDemand
        configuration.sync = .never
        configuration.rotation = RotationPolicy(maximumBytes: 200_000)
        let writer = try AuditLogWriter(directory: arguments[2], source: "killed", configuration: configuration)
        let first = Int(arguments[4]) ?? 0
        // Long enough for a batch to span many pages: the kernel stops a dying process between two of them.
        let padding = String(repeating: "x", count: 300)
        for number in first..<first + 3000 {
            writer.record(AuditEvent(at: 0, .network(status: "\(number)", interface: padding)))
            let isAcknowledged = isEach || (number - first) % 500 == 499 && writer.flush()
            if isAcknowledged { say("\(number)") }
        }
        waitForEndOfInput()
    default:
        say("hold or write")
        exit(2)
    }
} catch {
    say("\(error)")
    exit(1)
}
