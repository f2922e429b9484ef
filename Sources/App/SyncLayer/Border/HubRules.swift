import SyncBytes
import SyncLines
import SyncModel

extension HubLimits {
    /// What is wrong with a push as a whole.
    func check(_ writes: [TaggedWrite], from device: DeviceID) throws(SyncLayerError) {
        guard writes.count <= writesPerPush else {
            throw SyncLayerError(.batchTooLarge, "\(writes.count) writes were pushed at once, and \(writesPerPush) are allowed: push fewer")
        }
        if let problem = WriteLimits.problem(with: device) { throw SyncLayerError(.invalidValue, problem) }
        for write in writes where write.dot.device != device {
            throw SyncLayerError(.invalidValue, "the device \(device.rawValue.quoted) pushed the write \(write.dot), which is not its own")
        }
    }
}

/// The rules by which every hub of this package takes a write or does not.
enum HubRules {
    /// What is wrong with writes given back as a whole.
    static func check(_ given: GivenBackWrites, limits: HubLimits) throws(SyncLayerError) {
        if let problem = WriteLimits.problem(with: given.device) { throw SyncLayerError(.invalidValue, problem) }
        guard given.writes.count <= limits.writesPerPush else {
            throw SyncLayerError(
                .batchTooLarge, "\(given.writes.count) writes were given back at once, and \(limits.writesPerPush) are allowed: give fewer")
        }
        guard given.acknowledged <= WriteLimits.number else {
            throw SyncLayerError(.invalidValue, "the number \(given.acknowledged) is beyond \(WriteLimits.number), the last that there is")
        }
    }

    /// - Parameters:
    ///   - known: The write that the hub has under this name.
    ///   - latest: The number of the device's latest write at the hub, 0 without one.
    /// - Returns: Nil where the write is to be appended.
    static func outcome(
        of write: TaggedWrite, bytes: Int, known: KnownWrite?, latest: UInt64, limits: HubLimits
    ) -> PushOutcome? {
        if let problem = WriteLimits.problem(with: write) { return .refused(problem) }
        if let known {
            return known.receipt(ifSameAs: write).map { .accepted($0) } ?? .numberTaken
        }
        if write.dot.sequence < latest { return .numberTaken }
        if bytes > limits.bytesPerWrite {
            return .refused("the write has \(bytes) bytes, and the hub takes \(limits.bytesPerWrite): write less at once")
        }
        return nil
    }

    /// What a device says of itself must be something that a hub can keep.
    static func check(_ report: DeviceReport) throws(SyncLayerError) {
        if let problem = WriteLimits.problem(with: report.device) { throw SyncLayerError(.invalidValue, problem) }
        guard (0...Int(Int32.max)).contains(report.rulesVersion) else {
            throw SyncLayerError(
                .invalidValue,
                "the device \(report.device.rawValue.quoted) says that its rules have version \(report.rulesVersion), out of range")
        }
        if let fingerprint = report.rulesFingerprint, !(1...(1 << 53 - 1)).contains(fingerprint) {
            throw SyncLayerError(
                .invalidValue,
                "the device \(report.device.rawValue.quoted) gives \(fingerprint) for the fingerprint of its rules, out of range")
        }
        guard report.cursor <= WriteLimits.number else {
            throw SyncLayerError(
                .invalidValue,
                "the device \(report.device.rawValue.quoted) says that it has come to \(report.cursor) in the hub's order, and its last "
                    + "possible number is \(WriteLimits.number)")
        }
    }

    /// Whether a device's cursor goes on in this hub's order.
    ///
    /// - Parameters:
    ///   - known: The cursor's position as the device knows it, nil where it does not.
    ///   - position: The cursor's position at this hub.
    ///   - last: The order's last cursor.
    static func check(
        _ cursor: UInt64, of device: DeviceID, known: HubPosition?, position: HubPosition, last: UInt64
    ) throws(SyncLayerError) {
        let isKnown = known.map { known in
            known.epoch == position.epoch
                && (known.fingerprint == 0 || position.fingerprint == 0 || known.fingerprint == position.fingerprint)
        }
        if cursor <= last, isKnown ?? true { return }
        throw SyncLayerError(
            .hubReplaced,
            "the hub is another one than \(device.rawValue.quoted) knows, or was put back to an earlier state: what comes after "
                + "\(cursor) in its order does not go on from what the device has")
    }

    /// Whether the hub still has the writes of a device that it has accepted.
    static func check(_ acknowledged: UInt64, of device: DeviceID, latest: UInt64) throws(SyncLayerError) {
        if latest >= acknowledged { return }
        throw SyncLayerError(.hubReplaced, "the hub has the writes of \(device) up to \(latest) only, and had them up to \(acknowledged)")
    }

    /// Whether all devices that a hub waits for merge by the rules by which writes are to be let go of.
    ///
    /// - Parameter devices: Each with the fingerprint that it has reported.
    static func check(_ request: CompactionRequest, _ devices: some Sequence<(name: DeviceID, fingerprint: UInt64?)>) throws(SyncLayerError)
    {
        guard let other = devices.first(where: { $0.fingerprint != request.rulesFingerprint }) else { return }
        let problem = other.fingerprint == nil ? "has not said by which rules it merges" : "merges by other rules than those given"
        throw SyncLayerError(
            .rulesDiffer,
            "the device \(other.name.rawValue.quoted) \(problem), and what those need no more it may need: nothing was let go of; give the rules "
                + "that the apps have, update the app there, or have the hub forget the device")
    }

    static func forgotten(_ device: DeviceID) -> SyncLayerError {
        SyncLayerError(
            .deviceForgotten,
            "the hub was told to forget the device \(device.rawValue.quoted): call rejoin() on its replica, which goes on under a new name")
    }
}
