import ConflictAudit
import SwiftData
import SwiftDataAdapter
import SyncLayerTesting
import SyncMonitoring
import Testing
import os

extension SwiftDataTests {
    @MainActor @Suite struct ModelContextRefreshTests {
        private let device: SwiftDataDevice
        private let sleep = ManualSleep()
        private let refresh: ModelContextRefresh

        init() throws {
            device = try SwiftDataDevice("phone", .unstampedNote)
            device.app.insert(Note(noteID: "1", title: "Draft"))
            try device.save()
            refresh = ModelContextRefresh(
                container: device.container, monitor: device.audit.sync, pulse: RefreshPulse(interval: .seconds(5), sleep: sleep.sleep),
                subsystem: "refresh \(UUID())")
        }

        private var shown: String? { get throws { try refresh.context.fetch(FetchDescriptor<Note>()).first?.title } }

        private func settle() async { for _ in 0..<200 { await Task.yield() } }

        @Test func anArrivalIsShownAtOnceInTheForeground() async throws {
            refresh.isActive = true
            await sleep.somebodySleeps()
            #expect(try shown == "Draft")
            try device.import(["title": "Theirs"])
            while refresh.version == 0 { await Task.yield() }
            #expect(try shown == "Theirs")
            refresh.isActive = false
            #expect(!refresh.isActive)
        }

        @Test func unsavedEditsAreKeptAndTheArrivalIsShownOnceTheyAreSaved() async throws {
            refresh.isActive = true
            await sleep.somebodySleeps()
            let note = try #require(refresh.context.fetch(FetchDescriptor<Note>()).first)
            note.body = "being typed"
            try device.import(["title": "Theirs"])
            sleep.wake()
            await sleep.somebodySleeps()
            await settle()
            #expect(refresh.version == 0)
            #expect(note.body == "being typed")
            #expect(note.modelContext === refresh.context)
            try refresh.context.save()
            while refresh.version == 0 { await Task.yield() }
            #expect(try shown == "Theirs")
            #expect(try refresh.context.fetch(FetchDescriptor<Note>()).first?.body == "being typed")
            refresh.isActive = false
        }

        @Test func aDraftThatNoContextKnowsHoldsTheContextUntilItIsDone() async throws {
            refresh.isActive = true
            await sleep.somebodySleeps()
            refresh.isEditing = true
            try device.import(["title": "Theirs"])
            sleep.wake()
            await sleep.somebodySleeps()
            await settle()
            #expect(refresh.version == 0)
            refresh.isEditing = false
            while refresh.version == 0 { await Task.yield() }
            #expect(try shown == "Theirs")
            refresh.isActive = false
        }

        @Test func inTheBackgroundNothingIsReplacedUntilTheAppComesBack() async throws {
            try device.import(["title": "Theirs"])
            await settle()
            #expect(refresh.version == 0)
            refresh.isActive = true
            await sleep.somebodySleeps()
            #expect(refresh.version == 1)
            #expect(try shown == "Theirs")
            refresh.isActive = false
        }

        @Test func pulsesAndReloadsAreLinesOfTheLog() async throws {
            var lines: [String] = []
            let subsystem = "lines \(UUID())"
            let logged = ModelContextRefresh(
                container: device.container, monitor: device.audit.sync, pulse: RefreshPulse(interval: .seconds(5), sleep: sleep.sleep),
                subsystem: subsystem, report: { lines.append($0.description) })
            logged.isActive = true
            await sleep.somebodySleeps()
            sleep.wake()
            await sleep.somebodySleeps()
            #expect(lines == Array(repeating: "pulse: nothing, version 0 of 0 shown, 0 reloads", count: 2))
            try device.import(["title": "Theirs"])
            while logged.version == 0 { await Task.yield() }
            #expect(lines.last == "request: refresh, version 1 of 1 shown, 1 reload")
            #expect(Logger.messages(subsystem: subsystem, category: "CloudKitSync") == lines)
            logged.isActive = false
        }

        @Test func looksAreLinesOfTheAuditLog() async throws {
            let logged = device.audit.refresh(
                device.container, pulse: RefreshPulse(interval: .seconds(5), sleep: sleep.sleep, now: { .seconds(7) }))
            logged.isActive = true
            await sleep.somebodySleeps()
            logged.isActive = false
            let told = device.sink.events.compactMap { if case .refresh(let report) = $0.content { report } else { nil } }
            #expect(told.map(\.trigger) == [.pulse, .background])
            #expect(told.map(\.isInForeground) == [true, false] && told.allSatisfy { $0.pulseInterval == .seconds(5) })
        }
    }
}
