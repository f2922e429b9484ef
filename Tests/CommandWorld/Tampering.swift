import Foundation
import SyncBytes
import SyncModel
package import SyncOracle
import Testing

/// What is done to one log of a sound fleet, and what a check must then name.
package enum Tampering: String, CaseIterable {
    case dropped
    case doubled
    case swapped
    case laundered
    case launderedByItsOwnDevice
    case launderedSide
    case shifted
    case shiftedFromSomeTimeOn

    /// In milliseconds.
    package static let hour: Int64 = 3_600_000

    /// Whether a log has what this needs.
    package func isPossible(in lines: [String]) -> Bool { self != .swapped || lines.contains(where: Self.canBeSwapped) }

    private static func canBeSwapped(_ line: String) -> Bool {
        line.contains(#""policy":"lastWriterWins""#) && line.contains(#""kind":"update_update""#)
    }

    /// Tampers with a log.
    ///
    /// - Returns: How the only finding begins and how it ends.
    package func apply(to name: String, of fleet: SimulatedFleet, _ random: inout SplitMix64) throws -> (start: String, end: String) {
        var lines = try fleet.lines(name)
        let device = String(name.dropLast(".jsonl".count))
        func index(_ isWanted: (String) -> Bool) throws -> Int {
            let all = lines.indices.filter { isWanted(lines[$0]) }
            return try #require(all.isEmpty ? nil : all[random.below(all.count)])
        }
        let place: (Int) -> String = { "\(fleet.path)/\(name):\($0 + 1): " }
        let expected: (start: String, end: String)
        switch self {
        case .dropped:
            let index = try index { $0.contains(#""event":"write""#) }
            expected = ("missing_line: " + place(index), "before this line, line \(index + 1) of \(device) is missing")
            lines.remove(at: index)
        case .doubled:
            let index = try index { $0.contains(#""event":"write""#) }
            expected = ("duplicate: " + place(index + 1), "line \(index + 1) of \(device) is there twice")
            lines.insert(lines[index], at: index)
        case .swapped:
            let index = try index(Self.canBeSwapped)
            lines[index] = lines[index].replacingOccurrences(of: #""winner":"#, with: #""other":"#)
                .replacingOccurrences(of: #""loser":"#, with: #""winner":"#).replacingOccurrences(of: #""other":"#, with: #""loser":"#)
            expected = ("decision: " + place(index) + "conflict ", " wins")
        case .laundered, .launderedByItsOwnDevice:
            let isOwn = self == .launderedByItsOwnDevice
            let index = try index { $0.contains(#""event":"write""#) && $0.contains(#""device":"\#(device)""#) == isOwn }
            lines[index] = try Self.moved(lines[index], by: 19_500)
            // Of two accounts the device's own counts, so that then each other log seems to be wrong.
            expected = ("stamp: \(fleet.path)/" + (isOwn ? "" : "\(name):\(index + 1): "), "")
        case .launderedSide:
            let index = try index { $0.contains(#""event":"conflict""#) }
            lines[index] = try Self.moved(lines[index], by: 19_500, after: #""winner":{"#)
            expected = ("stamp: " + place(index) + "the two times in conflict ", "")
        case .shifted, .shiftedFromSomeTimeOn:
            let sign: Int64 = random.percent(50) ? 1 : -1
            let start = self == .shifted ? 0 : lines.count / 2
            for index in lines.indices[start...] { lines[index] = try Self.moved(lines[index], by: sign * Self.hour) }
            let direction = sign < 0 ? "behind" : "ahead of"
            expected = (
                "clock: \(fleet.path)/\(name): the times of ",
                "1 h \(direction) what other lines say of the same writes, as if it were set to another time zone"
            )
        }
        try fleet.write(lines, to: name)
        return expected
    }

    /// A line whose first time after a place is moved.
    package static func moved(_ line: String, by milliseconds: Int64, after place: String = "{") throws -> String {
        let start = try #require(line.range(of: place)).upperBound
        let key = try #require(line.range(of: #""ts":""#, range: start..<line.endIndex))
        let end = line.index(key.upperBound, offsetBy: 24)
        let moment = try #require(RFC3339.milliseconds(String(line[key.upperBound..<end])))
        return line.replacingCharacters(in: key.upperBound..<end, with: RFC3339.string(milliseconds: moment + milliseconds))
    }
}
