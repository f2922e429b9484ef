import Foundation
import SwiftData

@Model
final class Bottle {
    var label: String = ""
    var vintage: Int = 2020
    var drunk: Date?

    init(label: String) {
        self.label = label
    }
}
