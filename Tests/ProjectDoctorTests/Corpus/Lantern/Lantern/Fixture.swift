#if DEBUG
    import SwiftData

    @Model
    final class Fixture {
        @Attribute(.unique) var key: String

        init(key: String) { self.key = key }
    }
#endif
