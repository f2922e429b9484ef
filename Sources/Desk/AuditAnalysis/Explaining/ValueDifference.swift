import SyncBytes
package import SyncModel

/// A value in the length of a line or three, with what another does not have between guillemets.
///
/// Nothing in it acts on a terminal.
package enum ValueDifference {
    /// The context before and after a difference, in characters.
    private static let context = 24
    /// The most that is shown of what differs.
    private static let longest = 60

    /// A value beside another; nil is one that is not known.
    package static func marked(_ value: FieldValue, against other: FieldValue?) -> String {
        guard let other, value != other else { return plain(value) }
        if case .array(let mine) = value, case .array(let theirs) = other, let text = marked(mine, theirs) { return text }
        if case .string = value, case .string = other {
            let difference = TextDifference(JSONText.string(value), JSONText.string(other))
            let before = difference.prefix.unicodeScalars.suffix(context)
            let isCut = before.count < difference.prefix.unicodeScalars.count
            return
                ((isCut ? "…" : "") + String(before) + "«" + shortened(difference.mine, to: longest) + "»"
                + shortened(difference.suffix, to: context)).escaped(for: .terminal)
        }
        return plain(value)
    }

    /// A value as it is.
    package static func plain(_ value: FieldValue) -> String {
        shortened(JSONText.string(value), to: longest + 2 * context).escaped(for: .terminal)
    }

    /// Lists are compared by their elements; nil where they hold the same in another order.
    private static func marked(_ mine: [FieldValue], _ theirs: [FieldValue]) -> String? {
        let (left, right) = (Set(mine), Set(theirs))
        let (more, less) = (mine.filter { !right.contains($0) }, theirs.filter { !left.contains($0) })
        if more.isEmpty, less.isEmpty { return nil }
        var parts: [String] = []
        if !more.isEmpty { parts.append("«\(listed(more))»") }
        if more.count < mine.count { parts.append(HumanNumber.count(mine.count - more.count) + " in both") }
        if !less.isEmpty { parts.append("without \(listed(less))") }
        return parts.joined(separator: ", ")
    }

    private static func listed(_ elements: [FieldValue]) -> String {
        let shown = elements.prefix(8).map { shortened(JSONText.string($0), to: 20).escaped(for: .terminal) }.joined(separator: ", ")
        return elements.count > 8 ? "\(shown) and \(HumanNumber.count(elements.count - 8)) more" : shown
    }

    private static func shortened(_ text: String, to count: Int) -> String {
        let start = text.unicodeScalars.prefix(count)
        return start.endIndex < text.unicodeScalars.endIndex ? String(start) + "…" : text
    }
}
