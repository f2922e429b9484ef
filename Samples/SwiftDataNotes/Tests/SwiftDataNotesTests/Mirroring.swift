#if !canImport(Darwin)
    import CoreData
    import SwiftData
    import SwiftDataNotes
    import SyncMonitoring

    /// What mirrors a store to CloudKit, by itself: after saves, after pushes, and when the network is back.
    final class Mirroring: @unchecked Sendable {
        // Sound: everything that changes is reached on `queue` alone, but for `hasNetwork`, which is reached with `lock` held.
        private let device: String
        private let cloud: Cloud
        private let container: NSPersistentContainer
        private let context: NSManagedObjectContext
        private let queue: DispatchQueue
        private var exported: NSPersistentHistoryToken?
        private var imported = 0
        private let lock = NSLock()
        private var hasNetwork = true
        private var isSuspended = false
        private var registrations: [any NSObjectProtocol] = []
        private var observation: NetworkObservation?

        private static let author = "NSCloudKitMirroringDelegate.import"

        init(_ device: String, store: URL, cloud: Cloud, network: some NetworkStatusProvider) throws {
            self.device = device
            self.cloud = cloud
            queue = DispatchQueue(label: "mirroring of \(device)")
            let model = NSManagedObjectModel.makeManagedObjectModel(for: [Note.self]) ?? NSManagedObjectModel()
            container = NSPersistentContainer(name: "mirroring", managedObjectModel: model)
            let description = NSPersistentStoreDescription(url: store)
            description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
            container.persistentStoreDescriptions = [description]
            container.loadPersistentStores { _, _ in }
            context = container.newBackgroundContext()
            context.transactionAuthor = Self.author
            let center = NotificationCenter.default
            registrations.append(
                center.addObserver(forName: .NSPersistentStoreRemoteChange, object: nil, queue: nil) { [weak self] _ in self?.wake() })
            cloud.subscribe { [weak self] in self?.wake() }
            observation = try network.observe { [weak self] status in
                self?.networkChanged(status)
            }
        }

        deinit { for registration in registrations { NotificationCenter.default.removeObserver(registration) } }

        /// Whether the system keeps the app from syncing, as it may in the background.
        func suspend(_ isSuspended: Bool) {
            queue.sync { self.isSuspended = isSuspended }
            wake()
        }

        private func networkChanged(_ status: NetworkStatus) {
            lock.withLock { hasNetwork = status.isConnected }
            wake()
        }

        /// What is saved without a network finds none, also where the mirroring was at work when it went.
        private var isConnected: Bool { lock.withLock { hasNetwork } }

        /// Looks whether there is anything to do.
        func wake() { queue.async { [weak self] in self?.step() } }

        private func step() {
            guard !isSuspended else { return }
            do {
                try export()
                try `import`()
            } catch {
                // What failed is tried at the next occasion.
            }
        }

        private func export() throws {
            let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: exported)) as? NSPersistentHistoryResult
            let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
            var changes: [String: [String: Any]] = [:]
            for transaction in transactions where transaction.author != Self.author {
                for change in transaction.changes ?? [] {
                    let object = try context.existingObject(with: change.changedObjectID)
                    guard let id = object.value(forKey: "noteID") as? String else { continue }
                    let names = change.updatedProperties?.map(\.name) ?? Array(object.entity.attributesByName.keys)
                    for name in names { changes[id, default: [:]][name] = object.value(forKey: name) }
                }
            }
            context.reset()
            if !changes.isEmpty {
                try during(.export) {
                    guard isConnected else { throw Cloud.Unavailable(description: "the Internet connection appears to be offline") }
                    try cloud.save(changes, from: device)
                }
            }
            exported = transactions.last?.token ?? exported
        }

        private func `import`() throws {
            guard isConnected else { return }
            let (changes, token) = cloud.changes(after: imported, for: device)
            if !changes.isEmpty {
                try during(.import) {
                    let rows = container.persistentStoreCoordinator.rows(of: "Note")
                    for (id, fields) in changes {
                        let known = rows.first { $0.value["noteID"] as? String == id }?.key
                        guard let entity = container.managedObjectModel.entitiesByName["Note"] else { continue }
                        let object = try known.map { try context.existingObject(with: $0) } ?? context.insertObject(entity)
                        for (name, value) in fields { object.setValue(value, forKey: name) }
                    }
                    try context.save()
                    context.reset()
                }
            }
            imported = token
        }

        /// Posts what the container posts when an export or an import begins and when it ends.
        private func during(_ type: NSPersistentCloudKitContainer.EventType, _ body: () throws -> Void) throws {
            let (id, start) = (UUID(), Date())
            let store = container.persistentStoreCoordinator.persistentStores.first?.identifier ?? ""
            post(.init(id, type, store: store, started: start))
            do {
                try body()
                post(.init(id, type, store: store, started: start, ended: Date(), succeeded: true))
            } catch {
                post(.init(id, type, store: store, started: start, ended: Date(), error: error))
                throw error
            }
        }

        private func post(_ event: NSPersistentCloudKitContainer.Event) {
            NotificationCenter.default.post(
                name: NSPersistentCloudKitContainer.eventChangedNotification, object: nil,
                userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: event])
        }
    }
#endif
