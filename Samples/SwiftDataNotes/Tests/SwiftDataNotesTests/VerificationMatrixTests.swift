#if !canImport(Darwin)
    import ConflictAudit
    import SwiftData
    import SwiftDataNotes
    import SwiftUI
    import SyncMonitoring
    import Testing

    /// What an app with SwiftData and CloudKit must show on a second device before it ships.
    ///
    /// Nothing here syncs or reloads by hand: saves, pushes, the network
    /// and the scene's phase set everything off. Notifications reach both devices, which are one process here, so that the tests run one by one.
    @MainActor @Suite("Verification matrix, SwiftData", .serialized, .timeLimit(.minutes(1)))
    struct VerificationMatrixTests {
        private let cloud = Cloud()
        private let phone: NotesDevice
        private let tablet: NotesDevice

        init() throws {
            phone = try NotesDevice("phone", cloud)
            tablet = try NotesDevice("tablet", cloud)
        }

        private func open() async {
            await phone.open()
            await tablet.open()
        }

        private func end() {
            phone.end()
            tablet.end()
        }

        @Test("1. A single toggle appears while both apps are open")
        func singleToggle() async throws {
            await open()
            try phone.notebook.add(Note(title: "Milk"))
            try await until { tablet.titles == ["Milk"] }
            try #require(phone.notebook.notes.first).isDone = true
            try phone.notebook.save()
            try await until { tablet.notebook.notes.first?.isDone == true }
            try await until { tablet.notebook.audit.sync.refreshVersion == 2 }
            #expect(tablet.losses == [] && phone.losses == [])
            end()
        }

        @Test("2. A rapid batch of toggles appears without a refresh by hand")
        func rapidBatch() async throws {
            await open()
            for number in 1...50 { phone.notebook.refresh.context.insert(Note(title: "Note \(number)")) }
            try phone.notebook.save()
            try await until { tablet.titles.count == 50 }
            for note in phone.notebook.notes {
                note.isDone = true
                try phone.notebook.save()
            }
            try await until { tablet.notebook.notes.count { $0.isDone } == 50 }
            #expect(tablet.losses == [] && phone.losses == [])
            #expect(tablet.reports.contains { $0.decision == .refresh })
            end()
        }

        @Test("3. A device in the background shows what it missed after it comes back")
        func background() async throws {
            await open()
            try phone.notebook.add(Note(title: "Milk"))
            try await until { tablet.titles == ["Milk"] }
            tablet.close()
            try phone.edit("Milk", to: "Oat milk")
            try await until { phone.syncs.count { $0 == "export succeeded" } == 2 }
            #expect(tablet.titles == ["Milk"])
            await tablet.open()
            try await until { tablet.titles == ["Oat milk"] }
            #expect(tablet.losses == [])
            end()
        }

        @Test("4. What was edited in airplane mode syncs after the network is back")
        func airplaneMode() async throws {
            await open()
            try phone.notebook.add(Note(title: "Milk"))
            try await until { tablet.titles == ["Milk"] }
            phone.network.switchTo(.disconnected)
            #expect(!phone.notebook.network.isConnected)
            try phone.edit("Milk", to: "Oat milk")
            // The log's line is written before the view's status changes.
            try await until { NotesView(notebook: phone.notebook).lines.first == "orange: [exclamationmark.icloud] Offline" }
            #expect(phone.syncs.contains("export failed"))
            #expect(tablet.titles == ["Milk"])
            // The network is back before the service is.
            cloud.fail(1)
            phone.network.switchTo(.connected(.cellular))
            try await until { phone.syncs.count { $0 == "export failed" } >= 2 }
            phone.network.switchTo(.connected(.wifi))
            try await until { tablet.titles == ["Oat milk"] }
            try await until { phone.notebook.audit.sync.exportState == .succeeded }
            let statuses = phone.log.events.compactMap { if case .network(let status, _) = $0.content { status } else { nil } }
            #expect(statuses == ["connected", "disconnected", "connected", "connected"])
            end()
        }

        @Test("5. Simultaneous edits end alike on both, and the lost one is in the log and can be restored")
        func simultaneousEdits() async throws {
            await open()
            try phone.notebook.add(Note(title: "Draft"))
            // What the audit has not heard of yet is edited with no proof of what was seen.
            try await until { tablet.titles == ["Draft"] && tablet.arrivals == 1 }
            for device in [phone, tablet] { device.network.switchTo(.disconnected) }
            try phone.edit("Draft", to: "From the phone")
            try tablet.edit("Draft", to: "From the tablet")
            try await until { phone.syncs.last == "export failed" && tablet.syncs.last == "export failed" }
            phone.network.switchTo(.connected(.wifi))
            try await until { phone.syncs.last == "export succeeded" }
            tablet.network.switchTo(.connected(.wifi))
            // CloudKit's rule: the last export wins.
            try await until { phone.titles == ["From the tablet"] && tablet.titles == ["From the tablet"] }
            try await until { phone.losses == ["title: From the phone"] }
            #expect(tablet.losses == [])
            let conflict = try #require(phone.notebook.audit.conflicts.lostEdits.first)
            #expect(conflict.isProven)
            #expect(
                NotesView(notebook: phone.notebook).lines.suffix(5) == [
                    "orange: [exclamationmark.triangle] 1 edit lost", "secondary: title of Note", "From the phone",
                    "secondary: Replaced by tablet", "(Restore)",
                ])
            try phone.notebook.restore(conflict)
            try await until { tablet.titles == ["From the phone"] }
            // What was given back is lost no more.
            try await until { phone.losses == [] }
            #expect(tablet.losses == [])
            end()
        }

        @Test("Edits that are being made are kept, and the pulse shows what arrived once they are saved")
        func unsavedEdits() async throws {
            await open()
            try phone.notebook.add(Note(title: "Milk"))
            try await until { tablet.titles == ["Milk"] }
            let note = try #require(tablet.notebook.notes.first)
            note.body = "two litres"
            try phone.edit("Milk", to: "Oat milk")
            try await until { tablet.notebook.audit.sync.refreshVersion == 2 }
            tablet.sleep.wake()
            await tablet.sleep.somebodySleeps()
            #expect(tablet.reports.last { $0.trigger == .pulse }?.decision == .deferred)
            #expect(tablet.titles == ["Milk"])
            try tablet.notebook.save()
            try await until { tablet.titles == ["Oat milk"] && tablet.notebook.notes.first?.body == "two litres" }
            try await until { phone.notebook.notes.first?.body == "two litres" }
            #expect(phone.losses == [] && tablet.losses == [])
            end()
        }
    }
#endif
