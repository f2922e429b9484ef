import Foundation

struct RecentFiles: Codable {
    var names: [String] = []
    var opened = 0

    mutating func add(_ name: String) {
        names.removeAll { $0 == name }
        names.insert(name, at: 0)
        opened += 1
    }
}
