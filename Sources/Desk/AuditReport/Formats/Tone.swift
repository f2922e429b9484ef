/// How a text is meant.
struct Tone: Hashable, Sendable {
    /// What a text is.
    enum Meaning {
        case plain
        /// Good to know, and not the point.
        case aside
        /// Nothing was lost.
        case good
        /// Look at this.
        case warning
        /// Something was lost.
        case bad
        case name
    }

    let meaning: Meaning
    /// Whether it stands out.
    var isStrong = false

    static let plain = Tone(meaning: .plain)
    static let strong = Tone(meaning: .plain, isStrong: true)
    static let aside = Tone(meaning: .aside)
    static let good = Tone(meaning: .good)
    static let warning = Tone(meaning: .warning)
    static let bad = Tone(meaning: .bad)
    static let name = Tone(meaning: .name)

    /// The tone, standing out.
    var strong: Tone { Tone(meaning: meaning, isStrong: true) }
}
