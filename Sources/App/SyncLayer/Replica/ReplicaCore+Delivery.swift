extension ReplicaCore {
    /// What is to be passed on next, unless somebody else is at it.
    func nextDelivery() -> Delivery? { deliveries.next() }

    /// Ends a delivery that was passed on.
    ///
    /// - Parameter isKept: Whether the journal is to keep it all the same.
    func finishDelivery(_ delivery: Delivery, isKept: Bool) {
        // Conflict lines are forgotten at once, so that a crash seldom repeats one; the line of a write can wait.
        if deliveries.finish(delivery, isKept: isKept), delivery.isAboutConflict { try? transact { _ in } }
    }

    /// Queues the events that an earlier run committed and did not pass on.
    func recoverJournal(_ reader: any ReplicaStoreReader) throws { try deliveries.recover(reader) }
}
