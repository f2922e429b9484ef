import SyncBytes

extension CodeHostReport {
    /// SARIF 2.1.0.
    ///
    /// Source: OASIS Static Analysis Results Interchange Format.
    var sarif: Document {
        let indices = Dictionary(rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let driver: Document = ["name": tool, "version": version, "rules": Rows(rules, Self.descriptor)]
        let run: Document = [
            "tool": ["driver": driver] as Document, "columnKind": "unicodeCodePoints",
            "results": Rows(findings) { Self.result($0, indices[$0.rule] ?? 0) },
        ]
        return ["$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]]
    }

    private static func descriptor(_ rule: Rule) -> Document {
        [
            "id": rule.id, "shortDescription": message(rule.title), "fullDescription": message(rule.description),
            "defaultConfiguration": ["level": rule.level.rawValue] as Document,
        ]
    }

    private static func result(_ finding: Finding, _ index: Int) -> Document {
        var locations: [Document]?
        if let path = finding.path {
            let region: Document? = finding.line.map { ["startLine": $0, "startColumn": finding.column] }
            let physical: Document = ["artifactLocation": ["uri": path.uriReference] as Document, "region": region]
            locations = [["physicalLocation": physical] as Document]
        }
        return [
            "ruleId": finding.rule, "ruleIndex": index, "level": finding.level.rawValue, "message": message(finding.message),
            "locations": locations, "partialFingerprints": ["syncaudit/v1": finding.identity] as Document,
        ]
    }

    private static func message(_ text: String) -> Document { ["text": text.escaped(for: .sarif)] }
}

extension Escaping {
    /// For a message of SARIF, in which brackets make a link; nothing acts on a terminal.
    static let sarif = Escaping(
        after: .terminal,
        replacing: { scalar in
            switch scalar {
            case "[", "]", "\\": "\\" + String(scalar)
            default: nil
            }
        })
}

extension String {
    /// The path as a reference of RFC 3986, an absolute one of a file.
    fileprivate var uriReference: String {
        let path = utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return path.hasPrefix("/") ? "file://" + path : path.withoutCurrentFolder
    }
}
