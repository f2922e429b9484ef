import Foundation
import Observation

@MainActor
@Observable
final class PlaceStore {
    private(set) var all: [Place] = []
    @ObservationIgnored private(set) lazy var sync = PlaceSync(store: self)

    func rename(_ id: UUID, to name: String) {
        guard let index = all.firstIndex(where: { $0.id == id }) else { return }
        all[index].name = name
        sync.changed(id)
    }

    func apply(_ place: Place) {
        if let index = all.firstIndex(where: { $0.id == place.id }) { all[index] = place } else { all.append(place) }
    }

    func remove(_ id: UUID) { all.removeAll { $0.id == id } }

    func removeAll() { all = [] }
}
