import SwiftUI

struct ObservationList: View {
    @EnvironmentObject private var library: Library

    var body: some View {
        List(library.observations) { Text($0.habitat) }
            .task { try? await library.start() }
    }
}
