import Foundation

/// CloudKit's private database as the mirroring uses it: the last export of each field wins, unchecked, and everybody else is told.
final class Cloud: @unchecked Sendable {
    struct Field {
        var value: Any
        var number: Int
        var writer: String
    }

    /// Why an export or an import fails.
    struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }

    // Sound: all of it is reached with `lock` held.
    private let lock = NSLock()
    private var records: [String: [String: Field]] = [:]
    private var number = 0
    private var failures = 0
    private var subscribers: [@Sendable () -> Void] = []

    /// Makes the next exports fail, though there is a network.
    func fail(_ count: Int) { lock.withLock { failures = count } }

    func subscribe(_ push: @escaping @Sendable () -> Void) { lock.withLock { subscribers.append(push) } }

    /// Takes fields of records, and tells every device.
    func save(_ changes: [String: [String: Any]], from writer: String) throws {
        let subscribers = try lock.withLock {
            if failures > 0 {
                failures -= 1
                throw Unavailable(description: "the service is unavailable")
            }
            for (id, fields) in changes {
                for (name, value) in fields {
                    number += 1
                    records[id, default: [:]][name] = Field(value: value, number: number, writer: writer)
                }
            }
            return self.subscribers
        }
        for push in subscribers { push() }
    }

    /// What others have changed after a number, and the number to ask with next.
    func changes(after token: Int, for reader: String) -> (changes: [String: [String: Any]], token: Int) {
        lock.withLock {
            let changes = records.mapValues { fields in
                fields.filter { $0.value.number > token && $0.value.writer != reader }.mapValues(\.value)
            }
            return (changes.filter { !$0.value.isEmpty }, number)
        }
    }
}
