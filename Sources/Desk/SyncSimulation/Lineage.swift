package import ConflictAudit
package import SyncModel

/// What led to a store as it is: the lines of its logs without those of states that were thrown away, and its own writes under their last
/// names.
///
/// A write of the device's own is one that its log has without the hub's receipt. Where one of these comes under several names, it was
/// renamed.
package struct Lineage: Sendable {
    /// The writes in the order of their arrival, each once.
    package let writes: [TaggedWrite]
    /// The conflicts as they were found, without those that name a write by a name that it has no more.
    package let conflicts: [Conflict]
    /// How often each write is logged under its last name.
    let counts: [Dot: Int]

    /// A name, and the one of several writes that it was given to.
    ///
    /// Copies of one store give their writes equal timestamps too.
    private struct Name: Hashable {
        let dot: Dot
        let timestamp: HybridTimestamp
        let key: RecordKey

        init(_ write: TaggedWrite) {
            (dot, timestamp, key) = (write.dot, write.timestamp, write.key)
        }

        init(_ side: Conflict.Side, _ key: RecordKey) {
            (dot, timestamp, self.key) = (side.dot, side.timestamp, key)
        }
    }

    /// - Complexity: O(*n*) in the number of events.
    package init(_ events: [AuditEvent]) {
        let renamed = Self.renamed(events)
        let givenUp = Self.givenUp(renamed, events)
        var known: Set<Name> = []
        var counts: [Dot: Int] = [:]
        var writes: [TaggedWrite] = []
        var conflicts: [Conflict] = []
        for (index, event) in events.enumerated() {
            switch event.content {
            case .write(let logged):
                var write = logged
                if !renamed.isEmpty, logged.receipt == nil, let names = renamed[WriteIdentity(logged)], let last = names.last {
                    write = last
                }
                // Under its last name it is logged by itself.
                if write.dot == logged.dot { counts[write.dot, default: 0] += 1 }
                if known.insert(Name(write)).inserted { writes.append(write) }
            case .conflict(let conflict):
                let isAboutOldName =
                    !givenUp.isEmpty && [conflict.winner, conflict.loser].contains { index < givenUp[Name($0, conflict.key)] ?? 0 }
                if !isAboutOldName { conflicts.append(conflict) }
            default: continue
            }
        }
        self.writes = writes
        self.conflicts = conflicts
        self.counts = counts
    }

    /// The names that own writes have no more, with the last line that says so: what comes later is about another write of the name.
    private static func givenUp(_ renamed: [WriteIdentity: [TaggedWrite]], _ events: [AuditEvent]) -> [Name: Int] {
        if renamed.isEmpty { return [:] }
        var lastLines: [Dot: Int] = [:]
        for (index, event) in events.enumerated() {
            if case .write(let write) = event.content, write.receipt == nil { lastLines[write.dot] = index }
        }
        var givenUp: [Name: Int] = [:]
        for names in renamed.values {
            guard let last = names.last else { continue }
            for write in names.dropLast() { givenUp[Name(write)] = lastLines[last.dot] }
        }
        return givenUp
    }

    /// The own writes that have had several names, under all of them, the last one last.
    private static func renamed(_ events: [AuditEvent]) -> [WriteIdentity: [TaggedWrite]] {
        let own = events.lazy.compactMap { event -> TaggedWrite? in
            guard case .write(let write) = event.content, write.receipt == nil else { return nil }
            return write
        }
        guard own.contains(where: { $0.dot.device.firstWriter != $0.dot.device }) else { return [:] }
        var names: [WriteIdentity: [TaggedWrite]] = [:]
        for write in own {
            let identity = WriteIdentity(write)
            if names[identity]?.contains(where: { $0.dot == write.dot }) != true { names[identity, default: []].append(write) }
        }
        return names.filter { $0.value.count > 1 }
    }
}

/// A part of a device's log.
struct LogPart: Sendable {
    let log: DeviceLog
    let range: Range<Int>

    var events: ArraySlice<AuditEvent> { log.events[range] }
}
