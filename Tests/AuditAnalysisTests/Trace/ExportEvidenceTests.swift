import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncMerge
import SyncModel
import SyncOracle
import Testing

/// What the logs of several observers say of what an export replaces.
struct ExportEvidenceTests {
    private let card = RecordKey(type: "Card", id: "1")
    private var audit = JoinedAudit()

    /// A write in a device's log, and the server's word for it.
    private mutating func export(
        _ device: DeviceID, _ fields: FieldMap, n: UInt64 = 1, number: UInt64, earliest: UInt64? = nil, recordArrived: UInt64? = 0
    ) {
        write(device, n, fields)
        acknowledge(
            WriteAcknowledgement(
                dot: Dot(device: device, sequence: n), key: card, fields: fields.names.map(\.self), number: number,
                earliest: earliest ?? number, arrived: 0, recordArrived: recordArrived))
    }

    private mutating func write(_ device: DeviceID, _ n: UInt64, _ fields: FieldMap) {
        let write = TaggedWrite(
            dot: Dot(device: device, sequence: n), timestamp: HybridTimestamp(milliseconds: 1), key: card, operation: .put(fields),
            seen: nil)
        audit.observe(AuditEvent(at: 1, .write(write)), source: device)
    }

    private mutating func acknowledge(_ acknowledgement: WriteAcknowledgement) {
        audit.observe(AuditEvent(at: 1, .acknowledgement(acknowledgement)), source: acknowledgement.dot.device)
    }

    /// The phone's title is taken as number 3.
    private mutating func editTitle() { export("phone", ["title": "Plan"], number: 3) }

    /// The phone is shown its title in a later version.
    private mutating func show(in number: UInt64) {
        acknowledge(
            WriteAcknowledgement(
                dot: Dot(device: "phone", sequence: 1), key: card, fields: ["title"], number: number, earliest: number, arrived: 0,
                isStillShown: true))
    }

    /// The phone is shown another title in a later version.
    private mutating func replace(in number: UInt64, by value: FieldValue? = "Draft") {
        func side(_ dot: Dot, _ value: FieldValue?) -> Conflict.Side {
            Conflict.Side(dot: dot, timestamp: HybridTimestamp(milliseconds: 1), operation: .put, value: value)
        }
        let conflict = Conflict(
            id: ConflictID(rawValue: number), kind: .updateUpdate, severity: .lossy, basis: .window, key: card, field: "title",
            winner: side(Dot(device: "server", sequence: number), value), loser: side(Dot(device: "phone", sequence: 1), "Plan"),
            gap: .zero, withinWindow: true, window: .seconds(1), policy: "lastArrivalWins", resolution: .applyRemote, reason: .policy,
            clockSuspect: false)
        audit.observe(AuditEvent(at: 1, .conflict(conflict)), source: "phone")
    }

    @Test mutating func editThatOutlivesAnExportShowsThatFieldsAreReplaced() {
        editTitle()
        export("tablet", ["note": "a"], number: 5)
        show(in: 5)
        #expect(audit.exportEvidence == ExportEvidence(outlived: 1))
    }

    @Test(.timeLimit(.minutes(10))) mutating func manyVersionsOfARecordCostNoMoreThanTheirLines() {
        for number in 1...UInt64(histories(3_000, of: 20_000)) {
            export("phone", ["title": "Plan"], n: number, number: number)
            show(in: number + 1)
            replace(in: number + 1)
        }
        #expect(audit.exportEvidence == ExportEvidence())
    }

    @Test mutating func editThatGoesWithAnExportShowsThatRecordsAreReplaced() {
        editTitle()
        export("tablet", ["note": "a"], number: 5)
        replace(in: 5)
        #expect(audit.exportEvidence == ExportEvidence(replaced: 1))
    }

    /// Whoever had been shown the edit sends it along with the record.
    @Test(arguments: [3, nil] as [UInt64?]) mutating func exportBySomebodyWhoMayHaveSeenTheEditSaysNothing(recordArrived: UInt64?) {
        editTitle()
        export("tablet", ["note": "a"], number: 5, recordArrived: recordArrived)
        show(in: 5)
        #expect(audit.exportEvidence == ExportEvidence())
    }

    /// The tablet may have sent an edit of the title from before its observer came.
    @Test(arguments: [(0, 1), (nil, 0)] as [(UInt64?, Int)])
    mutating func exportOfARecordOlderThanItsLogSaysNothing(recordArrived: UInt64?, replaced: Int) {
        editTitle()
        export("tablet", ["note": "a"], number: 5, recordArrived: recordArrived)
        replace(in: 5)
        #expect(audit.exportEvidence == ExportEvidence(replaced: replaced))
    }

    @Test(arguments: ["phone", "mac"] as [DeviceID]) mutating func versionThatAnotherMadeSaysNothing(other: DeviceID) {
        editTitle()
        export("tablet", ["note": "a"], number: 5)
        export(other, ["title": "Draft"], n: 2, number: 6)
        show(in: 6)
        replace(in: 6)
        replace(in: 7)
        #expect(audit.exportEvidence == ExportEvidence())
    }

    @Test mutating func equalValueFromAnotherDeviceSaysNothing() {
        export("tablet", ["title": "Plan"], number: 1)
        editTitle()
        export("tablet", ["note": "a"], n: 2, number: 5)
        show(in: 5)
        #expect(audit.exportEvidence == ExportEvidence())
    }

    @Test(arguments: [(4, 4), (9, 4)] as [(UInt64, UInt64)])
    mutating func editThatMayHaveComeBetweenExplainsTheChange(number: UInt64, earliest: UInt64) {
        editTitle()
        export("mac", ["title": "Draft"], number: number, earliest: earliest)
        export("tablet", ["note": "a"], number: 5)
        replace(in: 5)
        #expect(audit.exportEvidence == ExportEvidence())
    }

    @Test(arguments: ["Draft", ["$omitted": "mac:1"]] as [FieldValue])
    mutating func editThatWasNeverAcknowledgedExplainsTheChange(value: FieldValue) {
        editTitle()
        write("mac", 1, ["title": value])
        export("tablet", ["note": "a"], number: 5)
        replace(in: 5)
        #expect(audit.exportEvidence == ExportEvidence())
    }

    /// A device that was put back from a backup, or had no time to remember the answer, sends its own value again.
    @Test(arguments: [("Draft", 0), ("Notes", 1)] as [(FieldValue, Int)])
    mutating func ownValueThatTheExporterSendsAgainExplainsTheChange(own: FieldValue, replaced: Int) {
        export("tablet", ["title": own], number: 1)
        editTitle()
        export("tablet", ["note": "a"], n: 2, number: 5)
        replace(in: 5)
        #expect(audit.exportEvidence == ExportEvidence(replaced: replaced))
    }

    @Test mutating func fieldThatTheExporterWaitedToSendExplainsTheChange() {
        editTitle()
        write("tablet", 1, ["title": "Notes"])
        export("tablet", ["note": "a"], n: 2, number: 5)
        replace(in: 5)
        #expect(audit.exportEvidence == ExportEvidence())
    }

    @Test mutating func deleteThatWasNeverAcknowledgedExplainsTheChange() {
        editTitle()
        let delete = TaggedWrite(
            dot: Dot(device: "mac", sequence: 1), timestamp: HybridTimestamp(milliseconds: 1), key: card, operation: .delete, seen: nil)
        audit.observe(AuditEvent(at: 1, .write(delete)), source: "mac")
        export("tablet", ["note": "a"], number: 5)
        replace(in: 5)
        #expect(audit.exportEvidence == ExportEvidence())
    }

    @Test mutating func versionOfTwoDevicesSaysNothing() {
        editTitle()
        export("tablet", ["note": "a"], number: 5)
        export("mac", ["tag": "b"], number: 5, recordArrived: 3)
        show(in: 5)
        #expect(audit.exportEvidence == ExportEvidence())
    }

    @Test mutating func linesThatComeTwiceCountOnce() {
        editTitle()
        export("tablet", ["note": "a"], number: 5)
        for _ in 1...2 {
            show(in: 5)
            replace(in: 5)
        }
        #expect(audit.exportEvidence == ExportEvidence(outlived: 1, replaced: 1))
    }

    @Test(arguments: [("Draft", 1), (nil, 0)] as [(FieldValue?, Int)])
    mutating func editOfAnotherValueExplainsNothing(shown: FieldValue?, replaced: Int) {
        editTitle()
        write("mac", 1, ["title": "Notes"])
        export("tablet", ["note": "a"], number: 5)
        replace(in: 5, by: shown)
        #expect(audit.exportEvidence == ExportEvidence(replaced: replaced))
    }
}
