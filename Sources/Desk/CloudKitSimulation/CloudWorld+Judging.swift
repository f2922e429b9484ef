import AuditAnalysis
import AuditLog
import ConflictAudit
import SyncModel
import SyncObservation

extension CloudWorld {
    /// Holds what an observer has told against the truth.
    ///
    /// - Parameters:
    ///   - key: The record that it was told of.
    ///   - made: The versions that were saved.
    ///   - deletion: The delete that was saved or came.
    mutating func judge(
        _ index: Int, at key: RecordKey, made: [FieldName: Int] = [:], deletion: Int? = nil
    ) throws {
        let events = devices[index].sink.drain()
        for event in events {
            guard case .write(let write) = event.content else { continue }
            for name in write.fields?.names.map(\.self) ?? [] {
                if let version = made[name] { dots[FieldDot(dot: write.dot, field: name)] = version }
            }
            if write.isDelete, let deletion { dots[FieldDot(dot: write.dot, field: nil)] = deletion }
        }
        for event in events {
            switch event.content {
            case .conflict(let conflict):
                func version(_ side: Conflict.Side) -> Int? {
                    let field = side.operation == .delete ? nil : conflict.field
                    if side.dot.device != .server { return dots[FieldDot(dot: side.dot, field: field)] }
                    guard let field else { return deletion }
                    // What came, be it now or before the save.
                    return devices[index].arrived[key]?[field]
                }
                count(conflict, loser: version(conflict.loser), winner: version(conflict.winner))
            default: break
            }
        }
    }

    /// The same of a merge, whose sides are the versions themselves.
    mutating func judgeMerge(
        _ index: Int, _ key: RecordKey, client: [FieldName: CloudDatabase.Cell], server: [FieldName: CloudDatabase.Cell]
    ) throws {
        for event in devices[index].sink.drain() {
            guard case .conflict(let conflict) = event.content, let field = conflict.field else { continue }
            let isClientLoser = conflict.loser.dot.device == devices[index].configuration.device
            let (mine, theirs) = (client[field]?.version, server[field]?.version)
            count(conflict, loser: isClientLoser ? mine : theirs, winner: isClientLoser ? theirs : mine)
        }
    }

    /// Holds what the logs of all devices prove together against the truth.
    mutating func judgeJoinedLogs() {
        var audit = JoinedAudit()
        for device in devices {
            for event in device.sink.all { audit.observe(event, source: device.configuration.device) }
        }
        score.count(audit.exportEvidence, isWhole: engine.policy == .allKeys)
        for conflict in audit.finish().conflicts where conflict.basis.isProof {
            func version(_ side: Conflict.Side) -> Int? {
                dots[FieldDot(dot: side.dot, field: side.operation == .delete ? nil : conflict.field)]
            }
            // What an observer knows by the server's number only has been judged when it was told.
            guard conflict.loser.dot.device != "server", conflict.winner.dot.device != "server", conflict.basis == .causal else { continue }
            count(conflict, loser: version(conflict.loser), winner: version(conflict.winner), isJoined: true)
        }
    }

    private mutating func count(_ conflict: Conflict, loser: Int?, winner: Int?, isJoined: Bool = false) {
        guard score.isFirst(conflict, joined: isJoined) else { return }
        let isConcurrent = loser.map { loser in winner.map { truth.areConcurrent(loser, $0) } ?? false } ?? false
        let isUnshown = loser.map { loser in winner.map { truth.areUnshown(loser, $0) } ?? false } ?? false
        // A version that no stamp names may be one that a later one had long replaced, brought back, and that this device was never shown.
        let isUnnamed = conflict.loser.dot.device == .server || conflict.winner.dot.device == .server
        let isStale = isUnshown && !isConcurrent && (level == .unstamped || isUnnamed) && !isJoined && conflict.basis.isProof
        let isRight = isConcurrent || isStale
        notes?.sentences.append(
            "  \(conflict.basis.isProof ? "proven" : "suspected")\(isRight ? isStale ? ", by a version long replaced" : "" : ", wrongly"): "
                + "\(conflict.field?.rawValue ?? "the record"), "
                + "\(text(conflict.loser.value)) of \(conflict.loser.dot) lost to "
                + "\(text(conflict.winner.value)) of \(conflict.winner.dot)")
        guard let loser, let winner else { return score.countWrong(conflict) }
        if isStale { score.stale += 1 }
        score.count(conflict, .init(loser: loser, winner: winner), isRight: isRight)
    }
}
