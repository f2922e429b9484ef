import Foundation
import SwiftData

@Observable
final class GreenhouseStore {
    let container: ModelContainer

    init() {
        let userData = ModelConfiguration(
            "UserData", schema: Schema([Plant.self, Reading.self, Bed.self]), cloudKitDatabase: .private("iCloud.org.example.greenhouse"))
        let catalogue = ModelConfiguration("Catalogue", schema: Schema([Species.self, Vendor.self]), cloudKitDatabase: .none)
        let everything = Schema([Plant.self, Reading.self, Bed.self, Species.self, Vendor.self])
        do {
            container = try ModelContainer(for: everything, configurations: [userData, catalogue])
        } catch {
            fatalError("No greenhouse: \(error)")
        }
    }
}
