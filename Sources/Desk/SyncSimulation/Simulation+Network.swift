import SyncLayer

extension Simulation {
    /// How long a device waits for an answer, in milliseconds.
    private static let patience: Int64 = 15_000

    /// Puts a request on its way.
    func send(_ message: Message) {
        let device = devices[message.device]
        requests += 1
        if isCalm {
            queue.add(.arrival(message, number: requests), at: clock.now + 20)
            return
        }
        if device.isolatedUntil > clock.now {
            faults.blockedMessages += 1
            queue.add(.timeout(message), at: clock.now + random.within(1...100))
            return
        }
        queue.add(.timeout(message), at: clock.now + Self.patience)
        if random.chance(configuration.loss) {
            faults.lostRequests += 1
        } else {
            queue.add(.arrival(message, number: requests), at: clock.now + delay())
        }
        if random.chance(configuration.duplicates) {
            faults.duplicates += 1
            queue.add(.arrival(message, number: requests), at: clock.now + delay())
        }
    }

    /// How long a message takes: mostly little, sometimes longer than its sender waits.
    private func delay() -> Int64 {
        switch random.below(100) {
        case 0..<85: random.within(5...150)
        case 85..<97: random.within(150...3000)
        default: random.within(3000...60_000)
        }
    }

    func arrive(_ message: Message, _ number: Int) async {
        let device = devices[message.device]
        if !isCalm, device.isolatedUntil > clock.now {
            faults.blockedMessages += 1
            return
        }
        if number < latestRequest { faults.reorderings += 1 }
        latestRequest = max(latestRequest, number)
        if !isAwaited(message), !message.isAnswered { faults.lateRequests += 1 }
        await message.body(hub)
        if !isCalm, random.chance(configuration.loss) {
            faults.lostAnswers += 1
        } else {
            queue.add(.answer(message), at: clock.now + (isCalm ? 20 : delay()))
        }
    }

    func answer(_ message: Message) async {
        guard isAwaited(message) else { return }
        if !isCalm, devices[message.device].isolatedUntil > clock.now {
            faults.blockedMessages += 1
            return
        }
        message.isAnswered = true
        await goOn(message.device)
    }

    func giveUp(_ message: Message) async {
        guard isAwaited(message) else { return }
        await goOn(message.device, throwing: SyncLayerError(.hubUnavailable, "the hub did not answer: try again later"))
    }

    private func isAwaited(_ message: Message) -> Bool {
        devices[message.device].program?.pause == message.pause
    }
}
