import AuditLog
import ConflictAudit
import Foundation
import SyncBytes
import SyncModel

/// Holds everything that reads or writes a line against a second opinion.
package struct LineCheck {
    private var fast = LineDecoder()
    private var general = LineDecoder(isFast: false)

    /// How many inputs were lines of an event that is known, so that it can be told whether anything was tried at all.
    package private(set) var understood = 0

    /// Checks of a new trace.
    package init() {}

    /// What is wrong with how a line is read; nil where nothing is.
    package mutating func problem(of line: [UInt8]) -> String? {
        let (mine, theirs) = (verdict(&fast, line), verdict(&general, line))
        if mine != theirs { return "the fast path says \(mine), the general one \(theirs)" }
        if let problem = Self.disagreement(with: line) { return problem }
        guard case .outcome(.line(let read), let written) = mine else { return nil }
        understood += 1
        return Self.roundTripProblem(of: read, written)
    }

    private enum Verdict: Equatable {
        case outcome(LineDecoder.Outcome, written: [UInt8])
        case problem(String)
    }

    private func verdict(_ decoder: inout LineDecoder, _ line: [UInt8]) -> Verdict {
        do throws(LineProblem) {
            let outcome = try decoder.decode(line.span)
            var written: [UInt8] = decoder.unwrapped ?? []
            // Equal values can be spelled differently: that must not happen either.
            if case .line(let line) = outcome { LineEncoder.append(line, to: &written) }
            return .outcome(outcome, written: written)
        } catch {
            return .problem(error.sentence)
        }
    }

    /// What our parser and Foundation's make of the same bytes.
    private static func disagreement(with line: [UInt8]) -> String? {
        // Foundation guesses other encodings from zeros and byte order marks.
        if line.contains(0) || line.starts(with: [0xef, 0xbb, 0xbf]) || line.starts(with: [0xfe, 0xff]) || line.starts(with: [0xff, 0xfe]) {
            return nil
        }
        let theirs = try? JSONSerialization.jsonObject(with: Data(line), options: .fragmentsAllowed)
        do throws(JSONError) {
            let mine = try JSONParser.parse(line.span)
            guard let theirs else { return isKnownRefusal(mine, line) ? nil : "we read \(mine), Foundation nothing" }
            // Foundation takes byte order marks out of texts.
            return line.holds([0xef, 0xbb, 0xbf]) || isSame(mine, theirs) ? nil : "we read \(mine), Foundation \(theirs)"
        } catch {
            if theirs == nil || isStricter(error) || isAfterLastComma(error.offset, line) { return nil }
            return "we read nothing (\(error.problem)), Foundation \(theirs ?? "")"
        }
    }

    /// Where our rules are stricter than Foundation's, on purpose; see `JSONParser`.
    private static func isStricter(_ error: JSONError) -> Bool {
        error.problem.contains("stands twice") || error.problem.contains("is out of range") || error.problem.contains("nested more than")
            || error.problem.contains("surrogate") || error.problem.contains("not valid UTF-8")
    }

    /// Whether a bracket closes behind a comma, which Foundation takes, and RFC 8259 does not.
    private static func isAfterLastComma(_ offset: Int, _ line: [UInt8]) -> Bool {
        guard offset < line.count, line[offset] == UInt8(ascii: "]") || line[offset] == UInt8(ascii: "}") else { return false }
        return line[..<offset].last { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } == UInt8(ascii: ",")
    }

    /// What Foundation refuses although it is JSON.
    private static func isKnownRefusal(_ value: FieldValue, _ line: [UInt8]) -> Bool {
        // Numbers too small for a double to tell from zero.
        line.contains(UInt8(ascii: "e")) || line.contains(UInt8(ascii: "E"))
    }

    private static func isSame(_ mine: FieldValue, _ theirs: Any) -> Bool {
        switch mine {
        case .null: return theirs is NSNull
        case .bool(let flag): return (theirs as? Bool) == flag
        case .number(let number):
            guard let theirs = theirs as? NSNumber, let value = Double(number.description) else { return false }
            // Foundation keeps what a double or a decimal can hold.
            let found = theirs.doubleValue
            return found == value || abs(found - value) <= abs(value) * 1e-14
        case .string(let text): return (theirs as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
        case .array(let elements):
            guard let theirs = theirs as? [Any], theirs.count == elements.count else { return false }
            return zip(elements, theirs).allSatisfy(isSame)
        case .object(let map):
            guard let theirs = theirs as? [String: Any] else { return false }
            // A dictionary takes texts for one that differ in their bytes only.
            if theirs.count != map.count { return Set(map.map(\.name.rawValue)).count == theirs.count }
            return map.allSatisfy { field in theirs[field.name.rawValue].map { isSame(field.value, $0) } ?? false }
        }
    }

    /// Whether a write stays without a number of its own, so that the number depends on what was read before.
    private static func isUnnumbered(_ line: AuditLine) -> Bool {
        if case .write(let write) = line.event.content { !write.isNumbered } else { false }
    }

    /// What was read is written so that it is read back equal, by both paths, and nothing written acts on a terminal.
    private static func roundTripProblem(of line: AuditLine, _ written: [UInt8]) -> String? {
        var text: [UInt8] = []
        LineEncoder.append(line, to: &text)
        guard text.last == UInt8(ascii: "\n"), !text.dropLast().contains(UInt8(ascii: "\n")) else {
            return "what was written is not one line"
        }
        text.removeLast()
        for isFast in [true, false] {
            var decoder = LineDecoder(isFast: isFast)
            do throws(LineProblem) {
                guard case .line(let again) = try decoder.decode(text.span), again == line || isUnnumbered(line) else {
                    return "what was written is read otherwise"
                }
                var twice: [UInt8] = []
                LineEncoder.append(again, to: &twice)
                guard twice.dropLast() == text[...] else { return "what was written is written otherwise the second time" }
            } catch {
                return "what was written is not read back: \(error.sentence)"
            }
        }
        guard String(decoding: text, as: UTF8.self).unicodeScalars.allSatisfy(\.isHarmlessOnTerminal) else {
            return "what was written acts on a terminal"
        }
        return nil
    }
}

extension [UInt8] {
    fileprivate func holds(_ pattern: [UInt8]) -> Bool {
        indices.contains { self[$0] == pattern[0] && self[$0...].starts(with: pattern) }
    }
}
