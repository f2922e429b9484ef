import Foundation
import Observation

@Observable
final class SyncedSettings {
    @ObservationIgnored private let store = NSUbiquitousKeyValueStore.default

    var tempo = 120 {
        didSet { store.set(Int64(tempo), forKey: "tempo") }
    }

    init() {
        NotificationCenter.default.addObserver(
            forName: NSUbiquitousKeyValueStore.didChangeExternallyNotification, object: store, queue: .main
        ) { [weak self] _ in self?.load() }
        store.synchronize()
        load()
    }

    private func load() {
        let value = Int(store.longLong(forKey: "tempo"))
        if value > 0, value != tempo { tempo = value }
    }
}
