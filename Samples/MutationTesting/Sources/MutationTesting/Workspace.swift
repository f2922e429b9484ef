import Foundation

/// A copy of the package in which every mutant waits to be turned on.
struct Workspace {
    let package: String
    let directory: String

    /// Makes the copy's manifest, or brings one from an earlier run up to date.
    init(package: String, directory: String, testTargets: Set<String>) throws {
        (self.package, self.directory) = (package, directory)
        let files = FileManager.default
        try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
        if !files.fileExists(atPath: "\(directory)/Samples") {
            try files.createSymbolicLink(atPath: "\(directory)/Samples", withDestinationPath: "\(package)/Samples")
        }
        let manifest = try String(contentsOfFile: "\(package)/Package.swift", encoding: .utf8)
        try write(Data((manifest + Self.trimming(to: testTargets)).utf8), to: "Package.swift")
    }

    /// Makes the copy's sources and tests those of the package, some of them rewritten.
    ///
    /// Files that have not changed are left as they are, so that they are not compiled again.
    func update(rewritten: [String: String]) throws {
        let files = try Self.files(in: package)
        for file in files where rewritten[file] == nil {
            try write(try Data(contentsOf: URL(fileURLWithPath: "\(package)/\(file)")), to: file)
        }
        for (file, text) in rewritten { try write(Data(text.utf8), to: file) }
        let expected = Set(files).union(rewritten.keys)
        for file in try Self.files(in: directory) where !expected.contains(file) {
            try FileManager.default.removeItem(atPath: "\(directory)/\(file)")
        }
    }

    /// The sources and tests in a directory, documentation apart.
    private static func files(in directory: String) throws -> [String] {
        try ["Sources", "Tests"].flatMap { folder in
            guard FileManager.default.fileExists(atPath: "\(directory)/\(folder)") else { return [String]() }
            return try FileManager.default.subpathsOfDirectory(atPath: "\(directory)/\(folder)").map { "\(folder)/\($0)" }.filter { name in
                var isDirectory: ObjCBool = false
                let isThere = unsafe FileManager.default.fileExists(atPath: "\(directory)/\(name)", isDirectory: &isDirectory)
                return isThere && !isDirectory.boolValue && !name.contains(".docc/")
            }
        }
    }

    /// Writes a file of the copy where it has another content.
    private func write(_ content: Data, to path: String) throws {
        let url = URL(fileURLWithPath: "\(directory)/\(path)")
        if (try? Data(contentsOf: url)) == content { return }
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: url)
    }

    /// The mutants that did not compile, in earlier runs too: trying them again would build everything twice.
    var known: Set<Mutant.Identity> {
        get {
            let data = try? Data(contentsOf: URL(fileURLWithPath: "\(directory)/uncompiled.json"))
            return data.flatMap { try? JSONDecoder().decode(Set<Mutant.Identity>.self, from: $0) } ?? []
        }
        nonmutating set { try? JSONEncoder().encode(newValue).write(to: URL(fileURLWithPath: "\(directory)/uncompiled.json")) }
    }

    /// Builds the tests.
    ///
    /// - Returns: The errors of the compiler, none where it succeeded.
    func build() throws -> [CompilerError] {
        let output = "\(directory)/build.log"
        try? FileManager.default.removeItem(atPath: output)
        let command = Command(
            directory: directory,
            arguments: ["nice", "-n", "10", "swift", "build", "-c", "release", "--build-tests", "-Xswiftc", "-enable-testing"])
        if try command.run(output: output, seconds: 3600) == .succeeded { return [] }
        let printed = try String(contentsOfFile: output, encoding: .utf8)
        var errors: [CompilerError] = []
        for match in printed.matches(of: /(?m)^(.+?):([0-9]+):[0-9]+: error: (.*)$/) {
            guard match.1.hasPrefix("\(directory)/"), let line = Int(match.2) else { continue }
            errors.append(CompilerError(file: String(match.1.dropFirst(directory.count + 1)), line: line, message: String(match.3)))
        }
        guard !errors.isEmpty else { throw Failure("the tests cannot be built; \(output) says why") }
        return errors
    }

    struct CompilerError: Hashable {
        let file: String
        let line: Int
        let message: String
    }

    /// Runs tests with one mutant turned on; 0 is none.
    func run(_ tests: Target.Tests, mutant: Int, output: String, seconds: Double) throws -> Command.End {
        let bundle = "\(directory)/.build/release/SyncAuditPackageTests.xctest"
        var arguments = ["nice", "-n", "10", bundle, "--testing-library", "swift-testing", "--filter", tests.filter]
        if let skip = tests.skip { arguments += ["--skip", skip] }
        return try Command(environment: ["MUTANT": "\(mutant)"], directory: directory, arguments: arguments)
            .run(output: output, seconds: seconds, stop: mutant == 0 ? nil : "✘")
    }

    /// Leaves out of the manifest what the tests do not need.
    private static func trimming(to testTargets: Set<String>) -> String {
        """

        var wanted: [String] = [\(testTargets.sorted().map { "\"\($0)\"" }.joined(separator: ", "))]
        var kept: Set<String> = []
        while let name = wanted.popLast() {
            if !kept.insert(name).inserted { continue }
            for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
                switch dependency {
                case .byNameItem(let name, _): wanted.append(name)
                case .targetItem(let name, _): wanted.append(name)
                default: break
                }
            }
        }
        package.targets.removeAll { !kept.contains($0.name) }
        package.products = []

        // The tests are to be compiled soon, and what they test is to run fast.
        for target in package.targets where target.type == .test {
            target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-Onone"])]
        }

        """
    }
}
