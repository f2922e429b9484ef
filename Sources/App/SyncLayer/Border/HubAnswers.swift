import ConflictAudit
import SyncLines
import SyncModel

/// Checks of what a hub answers, made before anything of it is believed.
///
/// An answer that contradicts itself is refused whole. A single write that stores or lines could not hold is passed over, for it is in the
/// hub's order for good: refused, it would stop every device for ever.
enum HubAnswers {
    /// The hub's clock.
    static func time(_ milliseconds: Int64) throws(SyncLayerError) -> Int64 {
        if let problem = WriteLimits.problem(milliseconds: milliseconds, "its clock") { throw atFault(problem) }
        return milliseconds
    }

    /// One outcome for each write pushed.
    static func outcomes(_ outcomes: [PushOutcome], of writes: [TaggedWrite]) throws(SyncLayerError) -> [PushOutcome] {
        guard outcomes.count == writes.count else { throw atFault("it answered \(outcomes.count) of \(writes.count) writes") }
        for (write, outcome) in zip(writes, outcomes) {
            guard case .accepted(let receipt) = outcome, let problem = WriteLimits.problem(with: write.received(receipt)) else { continue }
            throw atFault("it accepted the write \(write.dot), and \(problem)")
        }
        return outcomes
    }

    /// The page that was asked for: in the hub's order, each write with its receipt, every number from the request's cursor to the page's
    /// accounted for, and with progress where there is more to come.
    ///
    /// - Returns: The page with what no store can hold among ``PullPage/skipped``.
    static func page(_ page: PullPage, for request: PullRequest) throws(SyncLayerError) -> PullPage {
        guard page.cursor >= request.cursor, page.cursor <= WriteLimits.number else {
            throw atFault("its page goes up to \(page.cursor), and it was asked for what comes after \(request.cursor)")
        }
        guard !page.hasMore || page.cursor > request.cursor else {
            throw atFault("its page says that there is more after \(request.cursor) and does not get any further")
        }
        var last = request.cursor
        var writes: [TaggedWrite] = []
        writes.reserveCapacity(page.writes.count)
        var skipped = page.skipped
        for write in page.writes {
            guard let number = write.receipt?.hubSequence else {
                throw atFault("the write \(write.dot) came without its number in the hub's order")
            }
            guard number > last, number <= page.cursor else {
                throw atFault(
                    "the write \(write.dot) has the number \(number) in the hub's order, and came behind \(last) on a page that goes up to \(page.cursor)"
                )
            }
            last = number
            if let reason = WriteLimits.problem(with: write) {
                skipped.append(SkippedWrite(hubSequence: number, dot: write.dot, reason: reason))
            } else {
                writes.append(write)
            }
        }
        let numbers = page.cursor - request.cursor
        let compacted = page.compacted
        let (others, areTooMany) = page.leftOut.addingReportingOverflow(compacted.count)
        let (named, isTooMany) = (page.writes.count + page.skipped.count).addingReportingOverflow(others)
        guard page.leftOut >= 0, compacted.count >= 0, !areTooMany, !isTooMany, named == numbers else {
            throw atFault(
                "its page goes from \(request.cursor) to \(page.cursor), \(numbers) numbers, and accounts for \(page.writes.count) writes, "
                    + "\(page.leftOut) left out, \(page.skipped.count) skipped and \(compacted.count) compacted")
        }
        try check(compacted, of: request, upTo: page.cursor)
        return PullPage(
            writes: writes, bytes: page.bytes, cursor: page.cursor, hasMore: page.hasMore, leftOut: page.leftOut, skipped: skipped,
            rulesVersion: page.rulesVersion,
            position: page.position, latestNumber: page.latestNumber, isWhole: page.isWhole, compacted: compacted)
    }

    /// What a page says of writes that were let go of.
    private static func check(_ compacted: CompactedWrites, of request: PullRequest, upTo end: UInt64) throws(SyncLayerError) {
        let names = compacted.latest.entries
        let areBounded = names.allSatisfy { WriteLimits.problem(with: $0.device) == nil && $0.sequence <= WriteLimits.number }
        guard areBounded, names.count <= compacted.count, compacted.own.count <= compacted.count else {
            throw atFault(
                "it says that it has let go of \(compacted.count) writes, and names \(names.count + compacted.own.count) that cannot be")
        }
        var last = request.cursor
        for own in compacted.own {
            guard let position = own.receipt.hubSequence, position > last, position <= end, own.dot.device == request.device,
                own.dot.sequence <= WriteLimits.number,
                own.receipt.milliseconds.flatMap({ WriteLimits.problem(milliseconds: $0, "its receipt") }) == nil
            else {
                throw atFault("it has let go of the write \(own.dot), which cannot be where it says")
            }
            last = position
        }
    }

    private static func atFault(_ problem: String) -> SyncLayerError {
        SyncLayerError(.hubAtFault, "\(problem): the hub's implementation is at fault, and nothing of its answer was taken over")
    }
}
