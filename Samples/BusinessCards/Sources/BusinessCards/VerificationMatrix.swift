import SyncLayer
import SyncModel

/// What a sync layer must show on a second device before an app ships with it, each case played and judged by what the tablet showed.
enum VerificationMatrix {
    struct Row {
        let name: String
        let expected: String
        let seen: String
        let isMet: Bool
    }

    static func play() async throws -> [Row] {
        [
            try await Stage.play(singleToggle), try await Stage.play(rapidToggles), try await Stage.play(background),
            try await Stage.play(airplaneMode), try await Stage.play(simultaneousEdits),
        ]
    }

    private static func toggles(_ replica: Replica) throws -> Int {
        try replica.records(ofType: "Toggle").count { $0.fields["on"] == true }
    }

    private static func toggle(_ number: Int, on replica: Replica) throws {
        try replica.put(["on": true], to: RecordKey(type: "Toggle", id: RecordID("\(number)")))
    }

    /// One toggle on the phone, both apps open: the tablet is told of the change and shows it.
    private static func singleToggle(_ stage: Stage) async throws -> Row {
        var changes = stage.tablet.replica.changes.makeAsyncIterator()
        try toggle(1, on: stage.phone.replica)
        try await stage.phone.sync()
        try await stage.tablet.sync()
        let change = await changes.next()
        let shown = try toggles(stage.tablet.replica)
        return Row(
            name: "Single toggle, both open", expected: "1 shown, change announced",
            seen: "\(shown) shown, refresh version \(change?.refreshVersion ?? 0)", isMet: shown == 1 && (change?.refreshVersion ?? 0) > 0)
    }

    /// Fifty toggles in a second: all of them arrive with one sync, without a refresh by hand.
    private static func rapidToggles(_ stage: Stage) async throws -> Row {
        for number in 1...50 {
            stage.clock.advance(by: .milliseconds(20))
            try toggle(number, on: stage.phone.replica)
        }
        try await stage.phone.sync()
        let report = try await stage.tablet.sync()
        let shown = try toggles(stage.tablet.replica)
        return Row(
            name: "Rapid batch of 50", expected: "50 shown", seen: "\(shown) shown, \(report.pulled) writes pulled in one sync",
            isMet: shown == 50)
    }

    /// The tablet's app is in the background while the phone writes: what was missed is there after the next sync in the foreground.
    private static func background(_ stage: Stage) async throws -> Row {
        for number in 1...3 {
            try toggle(number, on: stage.phone.replica)
            try await stage.phone.sync()
            stage.wait(minutes: 10)
        }
        let before = try toggles(stage.tablet.replica)
        try await stage.tablet.sync()
        let after = try toggles(stage.tablet.replica)
        return Row(
            name: "Background, then foreground", expected: "0 shown before, 3 after", seen: "\(before) shown before, \(after) after",
            isMet: before == 0 && after == 3)
    }

    /// Writes without a network wait in the outbox and go out with the first sync.
    private static func airplaneMode(_ stage: Stage) async throws -> Row {
        for number in 1...5 { try toggle(number, on: stage.phone.replica) }
        stage.wait(minutes: 60)
        let report = try await stage.phone.sync()
        try await stage.tablet.sync()
        let shown = try toggles(stage.tablet.replica)
        return Row(
            name: "Airplane mode, then online", expected: "5 sent, 5 shown", seen: "\(report.pushed) sent, \(shown) shown",
            isMet: report.pushed == 5 && shown == 5)
    }

    /// Both devices write one field at the same moment: both end up with the same value, and the loser is in the log.
    private static func simultaneousEdits(_ stage: Stage) async throws -> Row {
        let key = RecordKey(type: "Note", id: "1")
        try stage.phone.replica.put(["text": "from the phone"], to: key)
        try stage.tablet.replica.put(["text": "from the tablet"], to: key)
        try await stage.meet()
        let (phone, tablet) = (try stage.phone.replica.get(key), try stage.tablet.replica.get(key))
        let lost = stage.conflicts.first?.loser.value?.string ?? "nothing"
        return Row(
            name: "Simultaneous edits", expected: "same value on both, loser logged",
            seen: "\(phone?["text"]?.string ?? "nothing") on both, lost: \(lost)",
            isMet: phone != nil && phone == tablet && stage.conflicts.count == 1)
    }
}
