import SyncBytes

/// A line that the person types.
struct LivePrompt {
    /// What the line is for.
    enum Purpose {
        case find
        case time
        /// The file that a restoration is written to.
        case file
    }

    private static let limit = 1_024

    let purpose: Purpose
    private var characters: [Character]
    /// How many characters are before the cursor.
    private var cursor: Int

    init(_ purpose: Purpose, _ text: String = "") {
        self.purpose = purpose
        characters = Array(text)
        cursor = characters.count
    }

    var text: String { String(characters) }

    /// What is before the cursor, under it and behind; nothing in it acts on a terminal.
    var parts: (String, String, String) {
        func escaped(_ part: some Sequence<Character>) -> String { String(part).escaped(for: .terminal) }
        return (escaped(characters[..<cursor]), escaped(characters[cursor...].prefix(1)), escaped(characters[cursor...].dropFirst()))
    }

    /// Types a key, or moves the cursor.
    mutating func press(_ key: LiveScreen.Key) {
        switch key {
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home: cursor = 0
        case .end: cursor = characters.count
        case .backspace where cursor > 0:
            cursor -= 1
            characters.remove(at: cursor)
        case .delete where cursor < characters.count: characters.remove(at: cursor)
        case .clear:
            characters.removeFirst(cursor)
            cursor = 0
        case .character(let character) where characters.count < Self.limit:
            characters.insert(character, at: cursor)
            cursor += 1
        default: break
        }
    }
}
