import SyncBytes
package import SyncModel

/// Lines of a trace, written as another program would write them.
package enum Trace {
    /// A put; moments are seconds after 2026-01-15T14:00:00Z, fields and what the writer had seen are JSON.
    package static func put(
        _ device: String, _ number: Int = 1, at seconds: Int, _ id: String, _ fields: String, type: String = "Note",
        saw seen: String? = "{}"
    ) -> String {
        line(device, number, seconds, id, type, #""op":"put","fields":\#(fields)"#, seen)
    }

    /// A put of the record with identity 1.
    package static func put(_ device: String, _ number: Int = 1, at seconds: Int, _ fields: String, saw seen: String? = "{}") -> String {
        put(device, number, at: seconds, "1", fields, saw: seen)
    }

    /// A delete.
    package static func delete(
        _ device: String, _ number: Int = 1, at seconds: Int, _ id: String = "1", type: String = "Note", saw seen: String? = "{}"
    ) -> String {
        line(device, number, seconds, id, type, #""op":"delete""#, seen)
    }

    private static func line(
        _ device: String, _ number: Int, _ seconds: Int, _ id: String, _ type: String, _ operation: String, _ seen: String?
    ) -> String {
        let date = RFC3339.string(milliseconds: 1_768_485_600_000 + Int64(seconds) * 1000)
        return #"{"event":"write","ts":"\#(date)","device":"\#(device)","n":\#(number),"recordType":"\#(type)","recordID":"\#(id)","#
            + operation + (seen.map { #","seen":\#($0)"# } ?? "") + "}\n"
    }

    /// Two people who set one field to 5 and, some seconds later, to 3, neither having seen the other.
    package static func clash(after gap: Int = 60, saw seen: String? = "{}") -> String {
        put("a", at: 0, #"{"v":5}"#, saw: seen) + put("b", at: gap, #"{"v":3}"#, saw: seen)
    }
}

extension TestWorld {
    /// The lines of the output as JSON, but for what an audit states of its rules.
    package var lines: [FieldMap] {
        get throws {
            try output.text.split(separator: "\n").compactMap { line in
                guard let object = try JSONParser.parse(String(line)).object else { throw NoObject() }
                return object["event"] == "rules" ? nil : object
            }
        }
    }

    /// The same as text.
    package var found: [Substring] { output.text.split(separator: "\n").filter { !$0.contains(#""event":"rules""#) } }

    private struct NoObject: Error {}

    /// What a key of the only line of output holds.
    package func only(_ key: FieldName) throws -> FieldValue? {
        let lines = try lines
        return lines.count == 1 ? lines[0][key] : nil
    }
}

extension TemporaryDirectory {
    /// A file with a content, by its path.
    package func path(_ content: String, as name: String = "trace.jsonl") throws -> String {
        try create(name, content)
        return file(name)
    }
}
