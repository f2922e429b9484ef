import Combine
import CoreData

/// Fetches the list again when another device has sent something.
final class ImportWatcher: ObservableObject {
    @Published private(set) var revision = 0
    private var subscription: AnyCancellable?

    init(_ coordinator: NSPersistentStoreCoordinator) {
        subscription = NotificationCenter.default
            .publisher(for: .NSPersistentStoreRemoteChange, object: coordinator)
            .receive(on: DispatchQueue.main)
            .sink { [weak self] _ in self?.revision += 1 }
    }
}
