package import SyncModel

extension RecordKey {
    /// Reads what `description` writes of a type without a slash, such as `Card/42`; nil where a text is no such thing.
    package init?(naming text: String) {
        guard let slash = text.firstIndex(of: "/"), slash != text.startIndex, text.index(after: slash) != text.endIndex else { return nil }
        self.init(type: RecordType(String(text[..<slash])), id: RecordID(String(text[text.index(after: slash)...])))
    }
}
