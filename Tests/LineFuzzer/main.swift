import Foundation
import LineFuzzing

// Reads so many fuzzed inputs in every way in which there are two ways, and stops at the first on which they differ.
//
//     swift run -c release LineFuzzer COUNT [SEED]

let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard let count = arguments.first else {
    FileHandle.standardError.write(Data("usage: LineFuzzer COUNT [SEED]\n".utf8))
    exit(2)
}
let path = NSTemporaryDirectory() + "/line-fuzzer-\(getpid())"
defer { _ = unsafe unlink(path) }
do {
    let summary = try FuzzRun(seed: arguments.count > 1 ? arguments[1] : 1, count: Int(count), path: path).run {
        FileHandle.standardError.write(Data(($0 + "\n").utf8))
    }
    print(summary)
} catch {
    print(error)
    exit(1)
}
