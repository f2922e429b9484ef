import CommandWorld
import Testing

/// Logs that are too long to be read again.
@Suite struct LongLogHistories {
    @Test(arguments: [["report"], ["report", "--all"], ["report", "--format", "markdown"], ["report", "--format", "html"]])
    func everyFormSaysThatNoLookIsTaken(_ arguments: [String]) throws {
        let filler = #"{"event":"log","opened":true,"ts":"2026-01-15T14:00:00.000Z"}"#
        try LongLogCheck().saysThatNoLookIsTaken(arguments, filler: filler)
    }
}
