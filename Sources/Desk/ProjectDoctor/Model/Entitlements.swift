import FileFormats

/// The entitlements of a target in one configuration, variables replaced.
package struct Entitlements: Sendable {
    package let target: BuildTarget
    package let configuration: BuildConfiguration
    /// The file, and where the setting names it; nil where the target names none.
    package let file: SourceFile?
    private let list: PropertyList?
    /// Whether the file is the specification that it will be made from.
    private let isGenerated: Bool
    /// Whether the target names no file, or its file was read.
    let isKnown: Bool

    static let containers = "com.apple.developer.icloud-container-identifiers"
    static let services = "com.apple.developer.icloud-services"
    static let environment = "com.apple.developer.icloud-container-environment"
    static let groups = "com.apple.security.application-groups"

    init(target: BuildTarget, configuration: BuildConfiguration, file: SourceFile?, list: PropertyList?, isGenerated: Bool, isKnown: Bool) {
        self.isKnown = isKnown
        (self.target, self.configuration, self.file, self.list) = (target, configuration, file, list)
        self.isGenerated = isGenerated
    }

    /// The strings of a key, variables replaced; empty where it is missing.
    func strings(_ key: String) -> [String] { list?[key]?.strings.map { configuration.expanding($0) } ?? [] }

    /// Whether the file has a key.
    func has(_ key: String) -> Bool { list?[key] != nil }

    /// The text of a key as it is in the file.
    func raw(_ key: String) -> String? { list?[key]?.string }

    /// Where a key is, or the beginning of the file, or the target where it has no file.
    func location(of key: String) -> SourceLocation {
        guard let file else { return target.location }
        return file.location(at: list?.entry(key)?.keyOffset ?? 0)
    }

    /// The byte before the end of the outermost dictionary of an XML list, where a key may be added.
    var insertionOffset: Int? {
        guard let file, !isGenerated else { return nil }
        let end = Array("</dict>".utf8)
        guard file.bytes.count >= end.count else { return nil }
        return (0...(file.bytes.count - end.count)).last { file.bytes[$0..<($0 + end.count)].elementsEqual(end) }
    }

    /// The change of a key's string in an XML list; nil where the string is not as it is written there.
    func replacing(_ key: String, _ text: String, with other: String) -> TextEdit? {
        guard let file, !isGenerated, let entry = list?.entry(key) else { return nil }
        let old = Array("<string>\(text)</string>".utf8)
        let range = entry.keyOffset..<min(file.bytes.count, entry.keyOffset + key.utf8.count + old.count + 100)
        guard let start = range.first(where: { file.bytes[$0...].starts(with: old) }) else { return nil }
        let end = start + old.count - 9
        return TextEdit(path: file.path, range: (start + 8)..<end, text: other)
    }

    /// Whether the target may use CloudKit.
    var hasCloudKit: Bool { strings(Self.services).contains { $0 == "CloudKit" || $0 == "CloudKit-Anonymous" || $0 == "*" } }

    /// Whether the push environment is a variable that nothing sets, as far as all settings are known.
    var lacksPushVariable: Bool {
        guard let key = pushKey, let value = raw(key), value.hasPrefix("$"), configuration.isComplete else { return false }
        let text = configuration.expanding(value)
        return text.isEmpty || text.hasPrefix("$")
    }

    /// Whether the system for pushes is a variable, or the literal that its configuration needs.
    ///
    /// Where the configuration is not known, any is right.
    var hasRightPush: Bool {
        guard let key = pushKey, let value = raw(key) else { return false }
        return value.hasPrefix("$") || !configuration.isComplete || value == (configuration.isDebug ? "development" : "production")
    }

    /// Where the system for pushes is chosen, by the key of iOS or macOS.
    var pushKey: String? { BuildTarget.Platform.pushKeys.first { list?[$0] != nil } }
}

extension BuildTarget.Platform {
    /// The key by which it chooses where pushes come from.
    var pushKey: String { self == .macOS ? "com.apple.developer.aps-environment" : "aps-environment" }

    /// All keys of systems for that.
    static let pushKeys = [iOS, macOS].map(\.pushKey)

    /// Whether conditions of `#if` may hold on it; those on anything but systems may.
    func isBuilt(under conditions: [String]) -> Bool {
        conditions.allSatisfy { text in
            let isNegated = text.hasPrefix("!")
            let terms = text.split { " !|".contains($0) }.map { $0.drop { $0 == "(" } }
            guard terms.allSatisfy({ $0.hasPrefix("os(") }), !text.contains("&&"), !text.dropFirst().contains("!") else { return true }
            let names = terms.map { $0.dropFirst(3).prefix { $0 != ")" } }
            let isNamed = names.contains(Substring(self == .catalyst ? "iOS" : rawValue))
            return isNamed != isNegated
        }
    }
}

extension BuildTarget {
    /// The keys by which its systems choose where pushes come from.
    var pushKeys: [String] {
        let systems = platforms.isEmpty ? [.iOS] : platforms
        return Platform.pushKeys.filter { key in systems.contains { $0.pushKey == key } }
    }
}

extension BuildConfiguration {
    /// A text of a property list with the variables replaced that the settings know; others stay.
    func expanding(_ text: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "$"), rest.index(after: start) < rest.endIndex {
            let open = rest[rest.index(after: start)]
            let close: Character = open == "{" ? "}" : ")"
            guard open == "(" || open == "{", let end = rest[start...].firstIndex(of: close) else { break }
            let name = String(rest[rest.index(start, offsetBy: 2)..<end])
            result += rest[..<start]
            result += self[name == "CFBundleIdentifier" ? "PRODUCT_BUNDLE_IDENTIFIER" : name]?.text ?? String(rest[start...end])
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}

/// The information property list of a target in one configuration: of the file, and of settings that stand for its keys.
package struct InformationList: Sendable {
    let configuration: BuildConfiguration
    let file: SourceFile?
    /// Whether the target names no file, or its file was read.
    let isKnown: Bool
    private let list: PropertyList?

    init(configuration: BuildConfiguration, file: SourceFile?, list: PropertyList?, isKnown: Bool) {
        (self.configuration, self.file, self.list, self.isKnown) = (configuration, file, list, isKnown)
    }

    /// The background modes of the list.
    var backgroundModes: Set<String> { Set(list?["UIBackgroundModes"]?.strings ?? []) }

    /// The build setting that is to give the mode, where one names it.
    func setting(for mode: String) -> BuildSetting? {
        configuration.settingNames.filter { $0.hasPrefix("INFOPLIST_KEY_UIBackgroundModes") }.sorted().compactMap { configuration[$0] }
            .first { $0.text.split(whereSeparator: { " ,\"".contains($0) }).contains(Substring(mode)) }
    }

    /// Whether the mode is on, by the list or by a setting; nil where the list is not known.
    func has(_ mode: String) -> Bool? {
        if backgroundModes.contains(mode) || setting(for: mode) != nil { return true }
        return isKnown ? false : nil
    }

    /// Whether the list, or a setting that stands for one of its keys, has a key; nil where the list is not known.
    func hasKey(_ key: String) -> Bool? {
        if list?[key] != nil || configuration.settingNames.contains(where: { $0.hasPrefix("INFOPLIST_KEY_" + key) }) { return true }
        return isKnown ? false : nil
    }

    func location(or target: BuildTarget) -> SourceLocation {
        guard let file else { return target.location }
        return file.location(at: list?.entry("UIBackgroundModes")?.keyOffset ?? 0)
    }
}
