package import SyncBytes
package import SyncMerge
import SyncModel

extension MergeDecision {
    /// Appends the decision whole.
    package func encode(into encoder: inout StateEncoder) {
        encoder.append(contention.code)
        encoder.append(field == nil ? 0 : 1 as UInt8)
        if let field { encoder.append(field.rawValue) }
        encoder.append(winner)
        encoder.append(loser)
        encoder.append(didArrivingWin ? 1 : 0 as UInt8)
        encoder.append(reason.rawValue)
        encoder.append(policy)
        encoder.append(ancestor)
        encoder.append(result)
        let flags = [isPending, edits.isLoserKnown, edits.isStale, edits.isRepeated, edits.isBookkeeping]
        encoder.append(flags.reversed().reduce(0 as UInt8) { $0 << 1 | ($1 ? 1 : 0) })
    }

    /// Reads what ``encode(into:)`` appended.
    package init(from decoder: inout StateDecoder) throws(CodingFailure) {
        let contention = try Contention(code: try decoder.byte())
        let field = try decoder.flag() ? FieldName(try decoder.text()) : nil
        let (winner, loser) = (try decoder.write(), try decoder.write())
        let didArrivingWin = try decoder.flag()
        let word = try decoder.text()
        guard let reason = Reason(rawValue: word) else { throw CodingFailure("\(word.quoted) is no reason for which a write wins") }
        let policy = try decoder.text()
        let (ancestor, result) = (try decoder.optionalWrite(), try decoder.optionalValue())
        let flags = try decoder.byte()
        guard flags < 32 else { throw CodingFailure("\(flags) says nothing of a decision") }
        var edits = CarriedEdits()
        edits.isLoserKnown = flags & 2 != 0
        edits.isStale = flags & 4 != 0
        edits.isRepeated = flags & 8 != 0
        edits.isBookkeeping = flags & 16 != 0
        self.init(
            contention: contention, field: field, winner: winner, loser: loser, didArrivingWin: didArrivingWin, reason: reason,
            policy: policy, ancestor: ancestor, result: result, isPending: flags & 1 != 0, edits: edits)
    }
}

extension MergeDecision.Contention {
    fileprivate var code: UInt8 {
        switch self {
        case .sameRegister: 0
        case .bothDeleted: 1
        case .differentFields: 2
        }
    }

    fileprivate init(code: UInt8) throws(CodingFailure) {
        switch code {
        case 0: self = .sameRegister
        case 1: self = .bothDeleted
        case 2: self = .differentFields
        default: throw CodingFailure("\(code) is no kind of contention")
        }
    }
}
