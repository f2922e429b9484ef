/// A sentence made of what CloudKit prints of an error.
///
/// CloudKit writes `<CKError 0x1: "Partial Failure" (2/1011); "…"; partial errors: { NAME:(ZONE) = <CKError …> }>`, an error in another one
/// `Error Domain=CKErrorDomain Code=2 "…"`, and a dictionary of errors `"<CKRecordID: 0x1; recordName=NAME, …>" = "<CKError …>";` with its
/// quotes escaped. All of them are read alike: each error ends where the next begins, and of what lies between them its message, the wait
/// that the server asks for and the item that it is about are looked for. Source: logs that developers have published.
enum CloudKitErrorSentence {
    /// One error in the description.
    private struct Found {
        var code: Int
        /// Where its description begins and where what is known to belong to it ends.
        var start: Int
        var end: Int
    }

    /// Of the errors of some items, the items that have one alike.
    private struct Group {
        let sentence: String
        var items: [String]
    }

    /// The sentence; nil where no error of CloudKit is described.
    ///
    /// - Complexity: O(*n*) in the bytes of the description.
    static func sentence(_ text: ArraySlice<UInt8>) -> String? {
        let found = errors(in: text)
        guard let first = found.first else { return nil }
        var heading: String?
        var groups: [Group] = []
        var numbers: [String: Int] = [:]
        var schema: [String] = []
        var previousEnd = text.startIndex
        for (index, error) in found.enumerated() {
            let end = index + 1 < found.count ? found[index + 1].start : text.endIndex
            let body = text[error.end..<end]
            let message = message(in: body)
            let item = item(in: text[previousEnd..<error.start])
            previousEnd = error.end
            if let message, let advice = schemaAdvice(message), !schema.contains(advice) { schema.append(advice) }
            let sentence = describe(error.code, message, retry: retry(in: body))
            // An error that no item is named for is the whole one's; those that it was made of repeat it.
            guard let item else {
                if heading == nil { heading = sentence }
                continue
            }
            if let number = numbers[sentence] {
                groups[number].items.append(item)
            } else {
                numbers[sentence] = groups.count
                groups.append(Group(sentence: sentence, items: [item]))
            }
        }
        let items = groups.map { "\($0.sentence): \($0.items.joined(separator: ", "))" }
        let whole = heading ?? CloudKitErrorCode.description(groups.isEmpty ? first.code : CloudKitErrorCode.partialFailure)
        // What is to be done comes first, since screens are narrow.
        return (schema + [outerError(text).map { "\($0): \(whole)" } ?? whole] + items).joined(separator: "; ")
    }

    /// The error that is there because of one of CloudKit, without its details; nil where CloudKit's is the outermost.
    private static func outerError(_ text: ArraySlice<UInt8>) -> String? {
        guard let domain = text.dropping("Error Domain="), domain.dropping("CKErrorDomain ") == nil,
            let end = domain.prefix(2000).end(of: " UserInfo=")
        else { return nil }
        return text[..<(end - " UserInfo=".utf8.count)].string
    }

    /// The code of the first error described; nil where there is none.
    static func code(_ text: ArraySlice<UInt8>) -> Int? { errors(in: text).first?.code }

    private static func errors(in text: ArraySlice<UInt8>) -> [Found] {
        var found: [Found] = []
        var start = text.startIndex
        while let index = text[start...].firstIndex(of: UInt8(ascii: "C")) {
            start = index + 1
            if let rest = text[index...].dropping("CKErrorDomain Code="), let (code, end) = rest.leadingNumber {
                let before = text[..<index].suffix(13)
                found.append(
                    Found(code: code, start: before.elementsEqual("Error Domain=".utf8) ? before.startIndex : index, end: end.startIndex))
                start = end.startIndex
            } else if let rest = text[index...].dropping("CKError 0x"), let (code, end) = numberInParentheses(rest) {
                found.append(Found(code: code, start: index, end: end))
                start = end
            }
        }
        return found
    }

    /// The code of `…: "Invalid Arguments" (12/2006)`, which comes soon.
    private static func numberInParentheses(_ text: ArraySlice<UInt8>) -> (Int, Int)? {
        let near = text.prefix(120)
        guard let open = near.firstIndex(of: UInt8(ascii: "(")), let (code, rest) = near[(open + 1)...].leadingNumber,
            let close = rest.firstIndex(of: UInt8(ascii: ")"))
        else { return nil }
        return (code, close + 1)
    }

    private static func describe(_ code: Int, _ message: String?, retry: String?) -> String {
        [CloudKitErrorCode.description(code), message.map { "\"\($0)\"" }, retry].compactMap(\.self).joined(separator: ", ")
    }

    /// What the server says, or else what CloudKit says, within the first quotes.
    private static func message(in body: ArraySlice<UInt8>) -> String? {
        if let start = body.end(of: "server message = ") { return quoted(body[start...]) }
        let rest = body.drop { $0 == 0x20 || $0 == UInt8(ascii: ";") }
        return quoted(rest)
    }

    /// What is within quotes, which may themselves be escaped: then the closing one is as well.
    private static func quoted(_ text: ArraySlice<UInt8>) -> String? {
        let slashes = text.prefix { $0 == UInt8(ascii: "\\") }.count
        let start = text.startIndex + slashes
        guard start < text.endIndex, text[start] == UInt8(ascii: "\"") else { return nil }
        let content = text[(start + 1)...].prefix(2000)
        guard let end = content.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let words = content[..<end].dropLast(min(slashes, end - content.startIndex))
        return words.isEmpty ? nil : words.string
    }

    /// How long the server asks to wait, `Retry after 30.0 seconds` or `CKRetryAfter=30`.
    private static func retry(in body: ArraySlice<UInt8>) -> String? {
        guard let start = body.end(of: "Retry after ") ?? body.end(of: "CKRetryAfter=") ?? body.end(of: "CKErrorRetryAfter=") else {
            return nil
        }
        let number = body[start...].prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        return number.isEmpty || number.count > 12 ? nil : "to be tried again after \(number.string) seconds"
    }

    /// The item whose error follows: a record's name, or whatever is before the zone's.
    private static func item(in text: ArraySlice<UInt8>) -> String? {
        // What comes before an error is `NAME:(ZONE) = <` or `"<CKRecordID: …>" = "<`.
        let near = text.suffix(600)
        guard let equals = near.lastIndex(of: UInt8(ascii: "=")), near[equals...].allSatisfy({ "= \"\\<".utf8.contains($0) }) else {
            return nil
        }
        let name = near[..<equals]
        if let start = name.lastIndex(of: UInt8(ascii: "<")) {
            for phrase: StaticString in ["recordName=", "zoneName="] {
                guard let found = name[start...].end(of: phrase) else { continue }
                return name[found...].prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ">") }.string
            }
        }
        let start = name.lastIndex { $0 == 0x0a || "{>;".utf8.contains($0) }
        var words = (start.map { name[($0 + 1)...] } ?? name).droppingSpaces
        // Line breaks and tabs that were escaped where the description was printed.
        while words.starts(with: "\\n".utf8) || words.starts(with: "\\t".utf8) { words = words.dropFirst(2) }
        words = words.prefix { $0 != UInt8(ascii: ":") && $0 != 0x20 && $0 != UInt8(ascii: "\"") }
        // `NSUnderlyingError=…`.
        return words.isEmpty || words.starts(with: "NS".utf8) ? nil : words.string
    }

    /// What to do where the schema that the app is shipped with lacks what a record has.
    private static func schemaAdvice(_ message: String) -> String? {
        let words = Array(message.utf8)[...]
        guard words.contains("production schema") else { return nil }
        let names = words.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        let advice = "deploy the schema to production in CloudKit Console"
        if words.contains("field '"), names.count >= 4 {
            return "the production schema lacks the field \(names[1].string) of the record type \(names[3].string): \(advice)"
        }
        guard let start = words.end(of: "new type ") else { return "the production schema lacks something: \(advice)" }
        let type = words[start...].drop { $0 == UInt8(ascii: "'") }.prefix { $0 != 0x20 && $0 != UInt8(ascii: "'") }
        return "the production schema lacks the record type \(type.string): \(advice)"
    }
}
