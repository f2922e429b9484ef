import AuditLog
import SyncBytes
package import SyncModel

/// Looks for writes that name each other as seen, directly or over others, so that what at least one of them says it had seen cannot be
/// true.
///
/// A write was made after each write that it names as seen, and after the earlier ones of its own device. In the order in which writes
/// arrive nearly all of what they name is there already, and none of it can be part of a circle. Only writes that wait for one they name
/// are kept, and those that wait for them, so that every circle is found whose writes are among the latest ``limit`` of these.
///
/// A device's writes are expected in the order of their numbers; one with a lower number than the device's latest is passed over.
///
/// - Complexity: O(*d* log *d*) for a write that names *d* devices; memory is bounded by ``limit`` and the number of devices.
package struct SeenCircles: Sendable {
    /// A write of a circle, and the one that it names: the next of the circle, or a later one of its device.
    package struct Step: Hashable, Sendable {
        /// The write.
        package let write: Dot
        /// The write named as seen.
        package let seen: Dot
        /// What ``observe(_:at:)`` was given with the write.
        package let position: UInt64
    }

    private struct Link: Sendable {
        let device: Int
        let number: UInt64
    }

    /// A write that waits for others.
    private struct Node: Sendable {
        let number: UInt64
        let position: UInt64
        let links: [Link]
        /// The link for which it waits, once it is the first of its device.
        var next = 0
    }

    private struct Device: Sendable {
        /// The number of the latest write that has arrived.
        var latest: UInt64 = 0
        /// The writes that wait, by their numbers; those before `first` wait no longer.
        var queue: [Node] = []
        var first = 0
        /// The devices whose first write waits for one of this device's.
        var waiters = WaitingDevices()

        var isWaiting: Bool { first < queue.count }
        var head: Node? { isWaiting ? queue[first] : nil }
        /// The number up to which all writes are known to be part of no circle that is still open.
        var resolved: UInt64 { isWaiting ? min(latest, queue[first].number - 1) : latest }
    }

    /// The circles found, at most ``circleLimit``, each beginning with the write that arrived first.
    package private(set) var circles: [[Step]] = []

    /// The devices by the indices that they have here; may be another's who names them too, as long as no index changes.
    var names = DeviceNumbers()
    private var devices: [Device] = []
    private var weight = 0
    private let limit: Int
    /// Used again for each write.
    private var links: [Link] = []

    /// The most circles that are told of.
    package static let circleLimit = 1000

    /// - Parameter limit: The most names of writes that are kept; beyond it all that wait are let go.
    package init(limit: Int = 1 << 20) {
        self.limit = limit
    }

    /// Takes a write that its device has numbered.
    ///
    /// - Parameter position: Comes back in ``Step/position``.
    /// - Returns: The index of the write's device among all, and whether the write names others as seen that are later than all of their
    ///   devices that have arrived.
    @discardableResult
    package mutating func observe(_ write: TaggedWrite, at position: UInt64) -> (device: Int, isOpen: Bool) {
        let device = index(write.dot.device)
        let number = write.number
        var isOpen = false
        links.removeAll(keepingCapacity: true)
        if let entries = write.seen?.entries {
            for slot in entries.indices {
                let (other, number) = (index(entries[slot].device), entries[slot].sequence)
                // A write may count itself among what it had seen; no reader takes one that names a later one of its device.
                if other == device { continue }
                if devices[other].latest < number { isOpen = true }
                if devices[other].resolved < number { links.append(Link(device: other, number: number)) }
            }
        }
        guard number > devices[device].latest else { return (device, isOpen) }
        devices[device].latest = number
        if devices[device].isWaiting || !links.isEmpty {
            weight += links.count + 4
            devices[device].queue.append(Node(number: number, position: position, links: links))
            if devices[device].queue.count - devices[device].first == 1 { wait(device) }
        }
        if !devices[device].waiters.isEmpty { resolve([device]) }
        if weight > limit { reset() }
        return (device, isOpen)
    }

    /// Ends the search: what has not arrived by now is no part of a circle.
    package mutating func finish() {
        for index in devices.indices { devices[index].latest = .max }
        resolve(Array(devices.indices))
        findCircles()
        devices.removeAll()
    }

    private mutating func index(_ device: DeviceID) -> Int {
        let index = names.index(of: device)
        while index >= devices.count { devices.append(Device()) }
        return index
    }

    // MARK: Waiting

    /// Lets the first waiting write of a device wait for a write that it names.
    ///
    /// - Returns: False where it need not wait.
    @discardableResult
    private mutating func wait(_ device: Int) -> Bool {
        guard let head = devices[device].head else { return false }
        for next in head.next..<head.links.count where devices[head.links[next].device].resolved < head.links[next].number {
            devices[device].queue[devices[device].first].next = next
            devices[head.links[next].device].waiters.insert(device, until: head.links[next].number)
            return true
        }
        devices[device].queue[devices[device].first].next = head.links.count
        return false
    }

    /// Lets go of what no longer waits after something has changed for some devices.
    private mutating func resolve(_ changed: [Int]) {
        var changed = changed
        while let device = changed.popLast() {
            while let waiter = devices[device].waiters.removeFirst(upTo: devices[device].resolved) {
                if advance(waiter) { changed.append(waiter) }
            }
        }
    }

    /// Lets go of a device's writes as far as they need not wait.
    private mutating func advance(_ device: Int) -> Bool {
        var didAdvance = false
        while devices[device].isWaiting, !wait(device) {
            removeFirst(device)
            didAdvance = true
        }
        return didAdvance
    }

    private mutating func removeFirst(_ device: Int) {
        weight -= (devices[device].head?.links.count ?? 0) + 4
        devices[device].first += 1
        // Now and then, so that each is moved once on average.
        if devices[device].first * 2 > devices[device].queue.count {
            devices[device].queue.removeFirst(devices[device].first)
            devices[device].first = 0
        }
    }

    private mutating func reset() {
        findCircles()
        weight = 0
        for index in devices.indices {
            devices[index].queue = []
            devices[index].first = 0
            devices[index].waiters = WaitingDevices()
        }
    }

    // MARK: Circles

    /// The device for whose first waiting write that of another waits; nil where it waits for one that has not arrived.
    private func blocker(of device: Int) -> Int? {
        guard let head = devices[device].head, head.next < head.links.count else { return nil }
        let link = head.links[head.next]
        return devices[link.device].head.flatMap { $0.number <= link.number ? link.device : nil }
    }

    /// Finds the circles among the first waiting writes, opens each, and goes on.
    private mutating func findCircles() {
        var visits = [Int](repeating: 0, count: devices.count)
        var walk = 0
        // Not by index, so that what is found follows from the writes alone.
        let waiting = devices.indices.compactMap { index in devices[index].head.map { (position: $0.position, device: index) } }
        for (_, start) in waiting.ordered(by: { $0.position < $1.position }) {
            while circles.count < Self.circleLimit, visits[start] == 0 {
                walk += 1
                var (device, path): (Int?, [Int]) = (start, [])
                while let one = device, visits[one] == 0 {
                    visits[one] = walk
                    path.append(one)
                    device = blocker(of: one)
                }
                guard let end = device, visits[end] == walk, let index = path.firstIndex(of: end) else { break }
                report(Array(path[index...]))
                // What led to it may lead to another.
                for one in path { visits[one] = 0 }
                open(end)
            }
        }
    }

    private mutating func report(_ members: [Int]) {
        let steps = members.compactMap { device -> Step? in
            guard let head = devices[device].head else { return nil }
            let link = head.links[head.next]
            return Step(
                write: Dot(device: names.entries[device].device, sequence: head.number),
                seen: Dot(device: names.entries[link.device].device, sequence: link.number), position: head.position)
        }
        guard let first = steps.indices.min(by: { steps[$0].position < steps[$1].position }) else { return }
        circles.append(Array(steps[first...] + steps[..<first]))
    }

    /// Passes over the link for which a device's first write waits.
    private mutating func open(_ device: Int) {
        guard let head = devices[device].head else { return }
        devices[devices[device].queue[devices[device].first].links[head.next].device].waiters.remove(device)
        devices[device].queue[devices[device].first].next += 1
        if advance(device) { resolve([device]) }
    }
}

/// Devices that wait for a write of another, the one with the lowest number first.
private struct WaitingDevices: Sendable {
    private struct Waiter: Comparable {
        let number: UInt64
        let device: Int

        static func < (left: Waiter, right: Waiter) -> Bool { (left.number, left.device) < (right.number, right.device) }
    }

    private var waiters = BinaryHeap<Waiter>()

    var isEmpty: Bool { waiters.isEmpty }

    mutating func insert(_ device: Int, until number: UInt64) { waiters.insert(Waiter(number: number, device: device)) }

    /// Removes a device that waits for no more than a number.
    mutating func removeFirst(upTo number: UInt64) -> Int? {
        guard let first = waiters.first, first.number <= number else { return nil }
        return waiters.removeFirst()?.device
    }

    /// - Complexity: O(*n* log *n*).
    mutating func remove(_ device: Int) {
        waiters = BinaryHeap(waiters.unordered.filter { $0.device != device })
    }
}
