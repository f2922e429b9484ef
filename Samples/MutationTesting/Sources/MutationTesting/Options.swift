import Foundation

/// What the command was asked for.
struct Options {
    var seed: UInt64 = 16
    var count = 300
    var only: [String] = []
    var isList = false
    var isOwnOnly = false
    var isOfEquivalents = false
    var workers = 2
    var directory: String?
    var package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../..").standardizedFileURL.path

    static let help = """
        Changes the sources in small ways, one at a time, and counts which changes the tests notice.

        usage: swift run --package-path Samples/MutationTesting mutation-testing [options]

          --seed N      which mutants are drawn (16)
          --count N     how many, about (300)
          --only FILE   only of files whose path contains this; may be given several times
          --own         only the tests of each target itself, which are built sooner
          --equivalent  the mutants said to change nothing, which are not drawn otherwise; all must survive
          --list        prints the mutants and runs nothing
          --workers N   how many run at a time (2)
          --copy DIR    where the mutated copy of the package is kept (Samples/MutationTesting/.build/mutated)
        """

    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        func value<Value>(_ name: String, _ parse: (String) -> Value?) throws -> Value {
            guard let word = rest.popFirst(), let value = parse(word) else {
                throw Failure("\(name) needs another value; --help lists the options")
            }
            return value
        }
        while let name = rest.popFirst() {
            switch name {
            case "--seed": seed = try value(name) { UInt64($0) }
            case "--count": count = try value(name) { Int($0) }
            case "--only": only.append(try value(name) { $0 })
            case "--list": isList = true
            case "--equivalent": isOfEquivalents = true
            case "--own": isOwnOnly = true
            case "--copy": directory = try value(name) { $0 }
            case "--workers": workers = max(1, try value(name) { Int($0) })
            case "--help", "-h":
                print(Self.help)
                exit(0)
            default: throw Failure("\(name) is no option; --help lists them")
            }
        }
    }
}
