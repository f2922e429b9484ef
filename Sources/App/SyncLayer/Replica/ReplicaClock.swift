import ConflictAudit
import SyncBytes
import SyncCoding
import SyncLines
import SyncModel

/// A replica's hybrid clock, bounded by the hub's.
///
/// A device's own clock may be off by years, and a hybrid clock never runs backwards: without a bound, one write while it was would decide
/// every later conflict. Each sync measures how far the device's clock is from the hub's. Where it leads by more than is allowed, the
/// difference is taken off from then on, and a clock that has run ahead already is set back to the hub's time. What was written until then
/// keeps its timestamp: it is part of the write, others may have it, and the log has told of it. What is written afterwards wins over it
/// because it has seen it.
struct ReplicaClock {
    private var hybrid: HybridClock
    private var correction: Correction?

    /// How far the device's clock was ahead of the hub's when that was last measured.
    private struct Correction: Equatable {
        let offset: Int64
        /// What the device's clock said then; one that says less was set right since.
        let wall: Int64
    }

    /// A clock that continues after the latest timestamp of a store, with what the store keeps of the hub's clock.
    init(after latest: HybridTimestamp, maximumLead: Duration, _ reader: any ReplicaStoreReader) throws {
        hybrid = HybridClock(after: latest, maximumLead: maximumLead)
        guard let row = try reader.row(Self.rowKey, in: .settings) else { return }
        correction = try decoding("the correction of the clock", row.content) { decoder throws(CodingFailure) in
            let correction = Correction(offset: try decoder.signedNumber(), wall: try decoder.signedNumber())
            try decoder.finish()
            return correction
        }
    }

    /// A clock that has not been read yet.
    init(maximumLead: Duration) {
        hybrid = HybridClock(maximumLead: maximumLead)
    }

    /// The latest timestamp given or seen.
    var latest: HybridTimestamp { hybrid.latest }

    /// The timestamp of a write made now.
    mutating func now(wall: Int64) -> HybridTimestamp { hybrid.now(wall: WallTime(millisecondsSince1970: corrected(wall))) }

    /// Observes a remote timestamp, see ``HybridClock/observe(_:wall:)``.
    mutating func observe(_ remote: HybridTimestamp, wall: Int64) throws(HybridClock.LeadExceeded) {
        try hybrid.observe(remote, wall: WallTime(millisecondsSince1970: corrected(wall)))
    }

    /// Observes a timestamp that the device itself gave, before its store was put back or emptied.
    mutating func goOn(after own: HybridTimestamp) {
        hybrid = HybridClock(after: max(hybrid.latest, own), maximumLead: hybrid.maximumLead)
    }

    /// Whether ``bound(by:at:_:)`` would change anything.
    func isBound(by measurement: ClockMeasurement, at wall: Int64) -> Bool {
        bounded(by: measurement, at: wall) == (correction, hybrid.latest)
    }

    /// Bounds the clock by the hub's, as measured.
    ///
    /// - Parameter wall: What the device's clock says now.
    mutating func bound(by measurement: ClockMeasurement, at wall: Int64, _ writer: any ReplicaStoreWriter) throws {
        let (correction, latest) = bounded(by: measurement, at: wall)
        hybrid = HybridClock(after: latest, maximumLead: hybrid.maximumLead)
        self.correction = correction
        guard let correction else { return try writer.removeRow(Self.rowKey, from: .settings) }
        var encoder = StateEncoder()
        encoder.append(correction.offset)
        encoder.append(correction.wall)
        try writer.setRow(StoreRow(key: Self.rowKey, content: encoder.bytes), in: .settings)
    }

    private func bounded(by measurement: ClockMeasurement, at wall: Int64) -> (Correction?, HybridTimestamp) {
        let (offset, lead) = (measurement.offsetMilliseconds, hybrid.maximumLeadMilliseconds)
        // What may be the error of the measurement is no proof of a lead.
        let isAhead = offset.distance(after: measurement.uncertaintyMilliseconds) > lead
        let hubTime = WriteLimits.clamped(wall.distance(after: offset))
        let hasRunAhead =
            hybrid.latest.milliseconds.distance(after: hubTime)
            > lead.addingReportingOverflow(measurement.uncertaintyMilliseconds).partialValue
        return (
            isAhead ? Correction(offset: offset, wall: wall) : nil, hasRunAhead ? HybridTimestamp(milliseconds: hubTime) : hybrid.latest
        )
    }

    private func corrected(_ wall: Int64) -> Int64 {
        guard let correction, wall >= correction.wall else { return wall }
        return WriteLimits.clamped(wall.distance(after: correction.offset))
    }

    private static let rowKey = Array("clock".utf8)
}
