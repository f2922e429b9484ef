import ConflictAudit
import FleetHistories
import SyncMerge
import SyncModel
import SyncSimulation
import Testing

/// The checks see what they are there for: each test breaks the account of a good run in one way.
@Suite struct SimulationChecksTests {
    private func run(seed: UInt64) async throws -> SimulationResult {
        var configuration = SimulationConfiguration(seed: seed)
        configuration.crashes = 0
        configuration.records = 13
        return try await Simulation.run(configuration)
    }

    /// What is found in a run in which devices or the hub are no longer who they were.
    private func problems(
        seed: UInt64 = 21, _ fault: IdentityFault, _ breaking: (inout SimulationResult) throws -> Void
    ) async throws -> [String] {
        var configuration = SimulationConfiguration(seed: seed)
        configuration.crashes = 0
        configuration[keyPath: fault.probability] = 0.05
        var result = try await Simulation.run(configuration)
        #expect(result.problems == [])
        try breaking(&result)
        return SimulationChecks(result, rules: configuration.rules).problems()
    }

    @Test(arguments: [.storeCopies, .storeRestores, .forgottenDevices] as [IdentityFault])
    func aRenamedWriteThatTheHubNeverGot(_ fault: IdentityFault) async throws {
        let problems = try await problems(fault) { result in
            let index = try #require(result.trace.firstIndex { $0.dot.device.firstWriter != $0.dot.device })
            result.trace.remove(at: index)
        }
        #expect(problems.contains { $0.hasSuffix("is lost") })
        #expect(problems.contains { $0.hasSuffix("and the hub does not have it") })
    }

    @Test func aWriteThatTheHubHasUnderTwoNames() async throws {
        let problems = try await problems(.storeCopies) { result in
            let write = try #require(result.trace.first { $0.dot.device.firstWriter != $0.dot.device })
            result.trace.append(
                TaggedWrite(
                    dot: Dot(device: write.dot.device, sequence: 1000), timestamp: write.timestamp, key: write.key,
                    operation: write.operation,
                    seen: write.seen, receipt: write.receipt))
        }
        #expect(problems.contains { $0.hasPrefix("the hub has one write under the names") })
    }

    @Test func digestsThatDifferBesideAHubThatWasReplaced() async throws {
        let problems = try await problems(.hubReplacements) { result in
            let checkpoint = try #require(result.devices[0].checkpoint)
            result.devices[0].checkpoint = Checkpoint(seen: checkpoint.seen, records: checkpoint.records, digest: "0")
        }
        #expect(problems.contains { $0.hasSuffix("differ in their digests") })
    }

    private func problems(seed: UInt64 = 21, _ breaking: (inout SimulationResult) throws -> Void) async throws -> [String] {
        var result = try await run(seed: seed)
        #expect(result.problems == [])
        try breaking(&result)
        return SimulationChecks(result, rules: SimulationConfiguration(seed: 1).rules).problems()
    }

    @Test func aWriteThatTheHubNeverGot() async throws {
        let problems = try await problems { $0.trace.removeLast() }
        #expect(problems.contains { $0.hasSuffix("is lost") })
    }

    @Test func aWriteThatTheHubHasTwice() async throws {
        let problems = try await problems { $0.trace.append($0.trace[$0.trace.count - 1]) }
        #expect(problems.contains { $0.hasPrefix("the hub has") })
    }

    @Test func aReplicaThatShowsSomethingElse() async throws {
        let problems = try await problems { result in
            result.devices[1].records.removeLast()
        }
        #expect(problems.contains { $0.contains("counts") })
        #expect(problems.contains { $0.contains("differ in") })
    }

    @Test func equalWritesSeenWithDifferentDigests() async throws {
        let problems = try await problems { result in
            let checkpoint = try #require(result.devices[0].checkpoint)
            let other = Checkpoint(seen: checkpoint.seen, records: checkpoint.records, digest: "0")
            result.devices[1].events.append(AuditEvent(at: 0, .checkpoint(other)))
        }
        #expect(problems.contains { $0.contains("had seen the same and differed") })
    }

    @Test func aWriteThatOneDeviceNeverLogged() async throws {
        let problems = try await problems { result in
            let index = try #require(result.devices[2].events.firstIndex { if case .write = $0.content { true } else { false } })
            result.devices[2].events.remove(at: index)
        }
        #expect(problems.contains { $0.contains("0 times in 1 runs") })
    }

    @Test func aConflictLoggedTwiceWithoutACrash() async throws {
        let problems = try await problems { result in
            let event = try #require(result.devices[0].events.first { if case .conflict = $0.content { true } else { false } })
            result.devices[0].events.append(event)
        }
        #expect(problems.contains { $0.contains("2 times in 1 runs") })
    }

    @Test func losersThatNoDeviceNames() async throws {
        let problems = try await problems { result in
            for index in result.devices.indices {
                result.devices[index].events.removeAll { if case .conflict = $0.content { true } else { false } }
            }
        }
        #expect(problems.contains { $0.hasSuffix("has vanished without a trace") })
    }

    @Test(arguments: ["Counter", "Set"] as [RecordType]) func aTallyThatDoesNotAddUp(_ type: RecordType) async throws {
        // Not every run ends with a record of the type that still has its tally.
        var problems: [String] = []
        for seed in 21...24 as ClosedRange<UInt64> {
            problems += try await self.problems(seed: seed) { result in
                result.trace = result.trace.map { write in
                    guard write.key.type == type, var fields = write.fields else { return write }
                    for field in fields {
                        if let total = field.value.object?["$counter"]?.integer {
                            fields[field.name] = ["$counter": .number(JSONNumber(total + 1000))]
                        } else if field.value.object?["$add"] != nil {
                            fields[field.name] = ["$add": ["mauve"]]
                        }
                    }
                    return TaggedWrite(
                        dot: write.dot, timestamp: write.timestamp, key: write.key, operation: .put(fields), seen: write.seen,
                        receipt: write.receipt)
                }
            }
        }
        #expect(problems.contains { $0.hasPrefix("\(type)/") })
    }
}
