#if os(Linux)
    import ConflictAudit
    import FleetHistories
    import Foundation
    import Glibc
    import SyncLayer
    import SyncLayerTesting
    import SyncModel
    import Testing

    /// A disk without room.
    @Suite(.enabled(if: SmallDisk.canBeMade, "needs the right to mount"))
    struct FullDiskTests {
        @Test func aWriteWithoutRoomIsUndoneAndLaterOnesSucceed() async throws {
            try await withDirectory { directory in
                let disk = try SmallDisk(directory, bytes: 2_000_000)
                let path = directory + "/store.db"
                let replica = try Replica(device: "a", store: try SQLiteStore(path: path))
                try disk.fill(leaving: 700_000)
                var written = 0
                let error = #expect(throws: SyncLayerError.self) {
                    while written < 10_000 {
                        try replica.put(["text": .string(String(repeating: "x", count: 500))], to: note(written))
                        written += 1
                    }
                }
                #expect(error?.code == .diskFull, "\(error?.description ?? "none")")
                #expect(error?.description.contains("free some space") == true)
                #expect(written > 10)
                #expect(try replica.records(ofType: "note").count == written, "it can still be read")
                #expect(try replica.checkpoint()?.seen == ["a": UInt64(written)])
                try disk.makeRoom()
                #expect(try replica.put(["x": 1], to: card) == Dot(device: "a", sequence: UInt64(written) + 1))
                try SQLiteStore(path: path).checkIntegrity()
                let reopened = try Replica(device: "a", store: try SQLiteStore(path: path))
                #expect(try reopened.records(ofType: "note").count == written)
                #expect(try reopened.outboxStatus().writes == written + 1)
            }
        }

        @Test func aHubWithoutRoomFailsTheSyncAndTheNextOneSucceeds() async throws {
            try await withDirectory { directory in
                let disk = try SmallDisk(directory, bytes: 2_000_000)
                let hub = try SQLiteHub(path: directory + "/hub.db")
                let replica = try Replica(device: "a", store: InMemoryStore())
                for number in 0..<1000 {
                    try replica.put(["text": .string(String(repeating: "x", count: 500))], to: note(number))
                }
                try disk.fill(leaving: 300_000)
                let engine = SyncEngine(replica: replica, hub: hub)
                let error = await #expect(throws: SyncLayerError.self) { try await engine.sync() }
                #expect(error?.code == .diskFull, "\(error?.description ?? "none")")
                try disk.makeRoom()
                _ = try await engine.sync()
                #expect(try replica.outboxStatus().writes == 0)
                try hub.checkIntegrity()
                #expect(try await hub.pull(PullRequest(device: "b", cursor: 0, limit: 10_000)).writes.count == 1000)
            }
        }

        @Test func aStoreThatCannotBeMadeLeavesNothingHalfDone() async throws {
            try await withDirectory { directory in
                let disk = try SmallDisk(directory, bytes: 200_000)
                try disk.fill(leaving: 0)
                let path = directory + "/store.db"
                let error = #expect(throws: SyncLayerError.self) { try SQLiteStore(path: path) }
                #expect(error?.code == .diskFull, "\(error?.description ?? "none")")
                try disk.makeRoom()
                try Replica(device: "a", store: try SQLiteStore(path: path)).put(["x": 1], to: card)
            }
        }

        private func note(_ number: Int) -> RecordKey { RecordKey(type: "note", id: RecordID(String(number))) }
    }

    /// A file system in memory that is soon full, mounted on a directory until it goes away.
    private final class SmallDisk {
        private let directory: String
        private var ballast: String { directory + "/ballast" }

        /// Whether this process may mount.
        static let canBeMade: Bool = {
            let path = FileManager.default.temporaryDirectory.appending(path: "synclayer-mount-\(UUID().uuidString)").path
            guard (try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)) != nil else { return false }
            defer { try? FileManager.default.removeItem(atPath: path) }
            return (try? SmallDisk(path, bytes: 100_000)) != nil
        }()

        init(_ directory: String, bytes: Int) throws {
            self.directory = directory
            guard unsafe mount("tmpfs", directory, "tmpfs", 0, "size=\(bytes)") == 0 else { throw POSIXError(.EPERM) }
        }

        deinit {
            // Detached at once, whoever still has a file open there.
            unsafe umount2(directory, Int32(MNT_DETACH))
        }

        /// Takes up all the room but so many bytes.
        func fill(leaving bytes: Int) throws {
            let attributes = try FileManager.default.attributesOfFileSystem(forPath: directory)
            let free = try #require((attributes[.systemFreeSize] as? NSNumber)?.intValue)
            let descriptor = unsafe open(ballast, O_WRONLY | O_CREAT, 0o600)
            defer { close(descriptor) }
            let size = off_t(max(0, free - bytes))
            guard descriptor >= 0, posix_fallocate(descriptor, 0, max(1, size)) == 0 else { throw POSIXError(.ENOSPC) }
        }

        func makeRoom() throws { try FileManager.default.removeItem(atPath: ballast) }
    }
#endif
