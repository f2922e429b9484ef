extension PropertyList {
    /// Parses a property list in XML or OpenStep form, told apart by the first bytes.
    ///
    /// Apps hold binary lists; sources do not, for nobody could review or merge them.
    ///
    /// - Complexity: O(*n*) in the length.
    package static func parse(_ bytes: [UInt8]) throws(FormatError) -> PropertyList {
        if bytes.starts(with: "bplist".utf8) {
            throw FormatError(at: 0, "the property list is binary; 'plutil -convert xml1' makes it XML, which is read")
        }
        if bytes.starts(with: [0xfe, 0xff]) || bytes.starts(with: [0xff, 0xfe]) {
            throw FormatError(at: 0, "the property list is in UTF-16; only UTF-8 is read")
        }
        let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
        guard let first = bytes[start...].firstIndex(where: { !isWhiteSpace($0) }) else {
            throw FormatError(at: bytes.count, "the file is empty")
        }
        let rest = bytes[first...]
        if ["<?", "<!", "<plist"].contains(where: { rest.starts(with: $0.utf8) }) { return try XMLPropertyList.parse(bytes) }
        return try OpenStepPropertyList.parse(bytes)
    }
}
