/// A Swift file, what it says, and what it belongs to.
package struct SwiftSource: Sendable {
    package let path: String
    package let facts: SwiftFacts
    /// Whether only targets of tests hold it.
    package let isTest: Bool
    private let lines: LineTable

    package init(file: SourceFile, facts: SwiftFacts, isTest: Bool) {
        path = file.path
        self.facts = facts
        self.isTest = isTest
        lines = LineTable(file)
    }

    func location(at offset: Int) -> SourceLocation { lines.location(at: offset) }
    func location(_ call: SwiftFacts.Call) -> SourceLocation { location(at: call.context.offset) }
    func location(_ context: SwiftFacts.Context) -> SourceLocation { location(at: context.offset) }
}
