extension BuildTarget {
    /// The words in a target's name that say it is there to show or try something.
    private static let demoWords: Set<String> = [
        "demo", "demos", "example", "examples", "sample", "samples", "playground", "sandbox", "preview", "previews", "test", "tests",
        "testing", "tester", "mock", "mocks", "prototype", "harness", "benchmark", "benchmarks",
    ]

    /// Whether its name says that it is there to show or try something.
    var isDemo: Bool {
        var words: [String] = []
        var wasSmall = false
        for character in name {
            if !character.isLetter || character.isUppercase && wasSmall || words.isEmpty { words.append("") }
            if character.isLetter { words[words.count - 1].append(character) }
            wasSmall = character.isLowercase
        }
        return words.contains { Self.demoWords.contains($0.lowercased()) }
    }
}

extension Project {
    /// The apps that users get.
    ///
    /// Where every app is there to show something, that is all of them, unless what they show is a package.
    var shippedApps: [BuildTarget] {
        let apps = targets.filter { $0.kind == .app }
        let shipped = apps.filter { !$0.isDemo }
        let isPackage = targets.contains { $0.kind == .library && $0.folder.isEmpty && $0.location.path == "Package.swift" }
        return shipped.isEmpty && !isPackage ? apps : shipped
    }

    /// The files of extensions, tests and demonstrations that no app which users get has too.
    var unshippedFiles: Set<String> {
        let libraries = libraries
        var remaining = Self.maximumLinkedFiles
        let shipped = Set(shippedApps.map(\.location))
        var (inShipped, inOthers): (Set<String>, Set<String>) = ([], [])
        for target in targets where [.app, .appExtension, .tests].contains(target.kind) {
            if shipped.contains(target.location) {
                inShipped.formUnion(files(of: target, with: libraries, remaining: &remaining))
            } else {
                inOthers.formUnion(target.files.lazy.map(RelativePath.dataModelOrSelf))
            }
        }
        return inOthers.subtracting(inShipped)
    }
}
