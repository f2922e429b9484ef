/// Replaces the variables in the build settings of one target in one configuration.
///
/// Levels are given from the lowest to the highest. Within a level a later assignment wins over an earlier one, and one whose conditions
/// hold over one without conditions; `$(inherited)` is the value of the assignment that would win without the one that holds it.
///
/// Where the target is built for several systems, a condition on the SDK is not decided: the setting keeps the value without it,
/// and the settings have another entry with the condition in its name, such as `CODE_SIGN_ENTITLEMENTS[sdk=macosx*]`.
package struct BuildSettingsResolver {
    private struct Link {
        let text: String
        /// Nil for what Xcode itself sets.
        let location: SourceLocation?
    }

    /// An assignment of a chain, in the light of one undecided condition.
    private struct Key: Hashable {
        let name: String
        let condition: String
        let index: Int
    }

    private struct Expansion {
        var bytes: [UInt8] = []
        var unresolved: [String] = []

        mutating func append(unresolved name: String) {
            if unresolved.count < maximumUnresolved, !unresolved.contains(name) { unresolved.append(name) }
        }
    }

    /// The assignments of a name with its undecided condition, lowest first.
    private var chains: [String: [Link]] = [:]
    /// Each name of `chains` in two parts.
    private var spellings: [String: (name: String, condition: String)] = [:]
    private var known: [Key: Expansion] = [:]
    private var inProgress: Set<Key> = []
    /// How many bytes may still be made by replacing.
    private var remainingBytes = 16 << 20

    /// How many bytes one value may hold; longer ones are left as they are.
    package static let maximumSize = 64 << 10
    /// How many variables may refer to each other in a row.
    private static let maximumDepth = 64
    /// Unresolved names that are reported of one value.
    private static let maximumUnresolved = 100
    /// Undecided conditions of one name that have entries of their own.
    private static let maximumConditions = 32
    private static let folderNames: Set<String> = ["SRCROOT", "PROJECT_DIR", "SOURCE_ROOT"]

    /// - Parameters:
    ///   - levels: The assignments from the lowest level to the highest.
    ///   - sdks: The names of the SDKs that the target is built with, such as `iphoneos`; conditions on
    ///     the SDK are decided for exactly one.
    package init(levels: [[BuildAssignment]], target: String, configuration: String, project: String, sdks: [String]) {
        let builtIn = [
            "TARGET_NAME": target, "PRODUCT_NAME": "$(TARGET_NAME)", "CONFIGURATION": configuration, "PROJECT_NAME": project,
            "SRCROOT": "", "PROJECT_DIR": "", "SOURCE_ROOT": "",
        ]
        for (name, text) in builtIn { chains[name] = [Link(text: text, location: nil)] }
        for name in builtIn.keys { spellings[name] = (name, "") }
        let decided = levels.map { Self.decide($0, configuration: configuration, sdks: sdks) }
        // The names with an undecided condition go through all levels beside their plain name.
        var conditions: [String: [String]] = [:]
        for (assignment, condition, _) in decided.joined() where !condition.isEmpty {
            let spelled = assignment.name + condition
            guard spellings[spelled] == nil, conditions[assignment.name, default: []].count < Self.maximumConditions else { continue }
            spellings[spelled] = (assignment.name, condition)
            chains[spelled] = chains[assignment.name].map { $0.filter { $0.location == nil } } ?? []
            conditions[assignment.name, default: []].append(condition)
        }
        for level in decided {
            for isConditional in [false, true] {
                for (assignment, condition, isMatched) in level where isConditional == (isMatched || !condition.isEmpty) {
                    let link = Link(text: assignment.text, location: assignment.location)
                    if !condition.isEmpty {
                        guard spellings[assignment.name + condition] != nil else { continue }
                        chains[assignment.name + condition, default: []].append(link)
                        continue
                    }
                    spellings[assignment.name] = (assignment.name, "")
                    chains[assignment.name, default: []].append(link)
                    for other in conditions[assignment.name] ?? [] { chains[assignment.name + other, default: []].append(link) }
                }
            }
        }
    }

    /// The assignments of a level that may hold, each with the part of its conditions that is undecided and whether another part is met.
    private static func decide(
        _ level: [BuildAssignment], configuration: String, sdks: [String]
    ) -> [(BuildAssignment, condition: String, isMatched: Bool)] {
        level.compactMap { assignment in
            var (undecided, isMatched) = ("", false)
            for condition in assignment.conditions where condition.pattern != "*" {
                if condition.name == "config" {
                    guard matches(configuration, pattern: condition.pattern) else { return nil }
                    isMatched = true
                } else if condition.name == "sdk", sdks.count == 1 {
                    guard matches(sdks[0], pattern: condition.pattern) else { return nil }
                    isMatched = true
                } else {
                    undecided += "[\(condition.name)=\(condition.pattern)]"
                }
            }
            return (assignment, undecided, isMatched)
        }
    }

    /// The setting of a name; nil where no level sets it.
    package mutating func setting(_ spelled: String) -> BuildSetting? {
        guard let chain = chains[spelled], let location = chain.last?.location, let (name, condition) = spellings[spelled] else {
            return nil
        }
        let value = value(Key(name: name, condition: condition, index: chain.count - 1), chain, depth: 0) ?? Expansion()
        return BuildSetting(text: String(decoding: value.bytes, as: UTF8.self), unresolved: value.unresolved, location: location)
    }

    /// All settings that some level sets.
    package mutating func all() -> [String: BuildSetting] {
        var settings: [String: BuildSetting] = [:]
        for name in chains.keys.sorted() { settings[name] = setting(name) }
        return settings
    }

    /// The value of one assignment; nil where it is needed for itself.
    private mutating func value(_ key: Key, _ chain: [Link], depth: Int) -> Expansion? {
        if let known = known[key] { return known }
        guard inProgress.insert(key).inserted else { return nil }
        defer { inProgress.remove(key) }
        let text = Array(chain[key.index].text.utf8)
        var value = Expansion(bytes: text)
        if text.count <= Self.maximumSize {
            if text.contains(UInt8(ascii: "$")) { value = expand(text[...], ReferenceEnds(text), key, chain, depth: depth) }
        } else if text.contains(UInt8(ascii: "$")) {
            value.unresolved = [key.name]
        }
        known[key] = value
        return value
    }

    /// A string with its references replaced, as far as they are known.
    private mutating func expand(_ text: ArraySlice<UInt8>, _ ends: ReferenceEnds, _ key: Key, _ chain: [Link], depth: Int) -> Expansion {
        var result = Expansion()
        var index = text.startIndex
        while index < text.endIndex {
            guard let end = ends[index], end < text.endIndex else {
                result.bytes.append(text[index])
                index += 1
                continue
            }
            let reference = text[index + 2..<end]
            let value = depth < Self.maximumDepth ? self.reference(reference, ends, key, chain, depth: depth + 1) : nil
            if let value, result.bytes.count + value.bytes.count <= Self.maximumSize, value.bytes.count <= remainingBytes {
                remainingBytes -= value.bytes.count
                let isFolder =
                    value.bytes.isEmpty && result.bytes.isEmpty && Self.folderNames.contains(String(decoding: reference, as: UTF8.self))
                result.bytes += value.bytes
                for name in value.unresolved { result.append(unresolved: name) }
                index = end + 1
                // Paths start from the project file's folder, so that nothing is left of it and its slash.
                if isFolder, index < text.endIndex, text[index] == UInt8(ascii: "/") { index += 1 }
            } else {
                result.bytes += text[index...end]
                result.append(unresolved: String(decoding: reference, as: UTF8.self))
                index = end + 1
            }
        }
        return result
    }

    /// The value of what is between the parentheses of a reference; nil where it is not known.
    private mutating func reference(
        _ text: ArraySlice<UInt8>, _ ends: ReferenceEnds, _ key: Key, _ chain: [Link], depth: Int
    ) -> Expansion? {
        var parts = ends.parts(of: text)
        let expandedName = expand(parts.removeFirst(), ends, key, chain, depth: depth)
        guard expandedName.unresolved.isEmpty else { return nil }
        var value = lookUp(String(decoding: expandedName.bytes, as: UTF8.self), key, chain, depth: depth)
        for (number, modifier) in parts.enumerated() {
            if modifier.starts(with: "default=".utf8) {
                if let value, !value.bytes.isEmpty { return value }
                let start = modifier.startIndex + 8
                return expand(text[start...], ends, key, chain, depth: depth)
            }
            guard let known = value, known.unresolved.isEmpty, let changed = ReferenceEnds.apply(modifier, to: known.bytes) else {
                // A default behind it may still say it.
                guard value == nil, parts[number...].contains(where: { $0.starts(with: "default=".utf8) }) else { return nil }
                continue
            }
            value = Expansion(bytes: changed)
        }
        return value
    }

    private mutating func lookUp(_ name: String, _ key: Key, _ chain: [Link], depth: Int) -> Expansion? {
        if name == "inherited" {
            guard key.index > 0 else { return Expansion() }
            return value(Key(name: key.name, condition: key.condition, index: key.index - 1), chain, depth: depth)
        }
        guard let other = chains[name + key.condition] ?? chains[name], !other.isEmpty else { return nil }
        return value(Key(name: name, condition: key.condition, index: other.count - 1), other, depth: depth)
    }
}
