/// A Swift file, what it says, and what it belongs to.
///
/// An object, for rules take lists of these apart and together: a copy would count the references of two dozen lists.
package final class SwiftSource: Sendable {
    package let path: String
    package let facts: SwiftFacts
    /// Whether only targets of tests hold it.
    package let isTest: Bool
    /// Compilation conditions of which it is known whether builds for users have them.
    let flags: [String: Bool]
    /// Whether its name or folder says that it is for previews alone.
    let isForPreviews: Bool
    /// How many bytes it has before the last line break.
    let contentCount: Int
    /// What ends its lines.
    let lineBreak: String
    private let lines: LineTable

    package init(file: SourceFile, facts: SwiftFacts, isTest: Bool, flags: [String: Bool] = [:]) {
        path = file.path
        self.flags = flags
        isForPreviews = path.contains("Preview Content/") || (path.split(separator: "/").last?.contains("Preview") ?? false)
        self.facts = facts
        self.isTest = isTest
        lines = LineTable(file)
        contentCount = file.bytes.last == UInt8(ascii: "\n") ? file.bytes.count - 1 : file.bytes.count
        let first = file.bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0
        lineBreak = first > 0 && file.bytes[first - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }

    private init(_ other: SwiftSource, facts: SwiftFacts) {
        (path, flags, isForPreviews, isTest) = (other.path, other.flags, other.isForPreviews, other.isTest)
        (lines, contentCount, lineBreak) = (other.lines, other.contentCount, other.lineBreak)
        self.facts = facts
    }

    /// The file with other uses of what is looked for.
    func with(uses: [SwiftFacts.Use]) -> SwiftSource {
        var facts = facts
        facts.uses = uses
        return SwiftSource(self, facts: facts)
    }

    func location(at offset: Int) -> SourceLocation { lines.location(at: offset) }
    func location(_ call: SwiftFacts.Call) -> SourceLocation { location(at: call.context.offset) }
    func location(_ context: SwiftFacts.Context) -> SourceLocation { location(at: context.offset) }
}
