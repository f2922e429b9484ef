import SyncBytes
package import SyncModel

/// What a reader of foreign traces takes besides the format itself.
///
/// A number does not say what it counts, nor a time of day its zone; only who made the trace knows.
package struct LineReading: Hashable, Sendable {
    /// What timestamps mean that are no RFC 3339.
    package var times: TimestampForm
    /// Whether whole numbers name records and devices, by their decimal digits.
    package var takesIntegerNames: Bool

    /// The format itself and nothing else, unless told otherwise.
    package init(times: TimestampForm = .rfc3339, takesIntegerNames: Bool = false) {
        self.times = times
        self.takesIntegerNames = takesIntegerNames
    }
}

extension TimestampForm {
    /// Milliseconds since 1970 of a timestamp.
    ///
    /// - Throws: ``LineError`` that says what the value is and which option would take it.
    package func milliseconds(_ value: FieldValue, named name: String) throws(LineError) -> Int64 {
        switch value {
        case .number(let number): return try milliseconds(number.double, as: number.text, named: name)
        case .string(let text):
            if let time = RFC3339.milliseconds(text) { return time }
            if let number = Self.number(text) { return try milliseconds(number, as: text, named: name) }
            if self != .rfc3339, let time = RFC3339.milliseconds(Self.completed(text, zone: nil)) { return time }
            guard let asUTC = RFC3339.milliseconds(Self.completed(text, zone: "Z")) else {
                throw LineError("\(name) is \(text.quoted), not a date that exists; write it like 2026-01-15T14:00:00.000Z")
            }
            guard case .local(let minutes) = self else {
                throw LineError(
                    "\(name) is \(text.quoted), without a time zone: 'syncaudit audit --times utc' takes it as UTC, and '--times +02:00' as "
                        + "two hours ahead of UTC")
            }
            return asUTC - Int64(minutes) * 60_000
        default: throw LineError("\(name) must be a timestamp, not \(value.described)")
        }
    }

    private func milliseconds(_ number: Double, as text: String, named name: String) throws(LineError) -> Int64 {
        guard let found = milliseconds(number) else { throw LineError(Self.ambiguous(number, as: text, named: name)) }
        guard RFC3339.range.contains(found) else {
            throw LineError(
                "\(name) is \(text.shortened), which \(optionName.map { "--times \($0)" } ?? "") puts out of the years 0000 to 9999")
        }
        return found
    }

    /// Which options would take a number, those that make it a time before 2050.
    private static func ambiguous(_ number: Double, as text: String, named name: String) -> String {
        let recent = appleEpoch...2_524_608_000_000
        let forms: [TimestampForm] = [.epoch(.seconds), .epoch(.milliseconds), .appleReferenceDate]
        let likely = forms.compactMap { form -> String? in
            guard let option = form.optionName, let time = form.milliseconds(number), recent.contains(time) else { return nil }
            return "'syncaudit audit --times \(option)' takes it as \(RFC3339.string(milliseconds: time))"
        }
        let remedy =
            likely.isEmpty
            ? "'syncaudit audit --times' says what it counts: seconds or milliseconds since 1970, or apple, which is seconds since 2001"
            : likely.joined(separator: ", ")
        return "\(name) is the number \(text.shortened): \(remedy)"
    }
}
