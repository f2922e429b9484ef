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

extension TerminalStyle {
    /// The text in the style of its tone.
    func toned(_ text: String, _ tone: Tone) -> String {
        let colored =
            switch tone.meaning {
            case .plain: text
            case .aside: dim(text)
            case .good: green(text)
            case .warning: yellow(text)
            case .bad: red(text)
            case .name: cyan(text)
            }
        return tone.isStrong ? bold(colored) : colored
    }
}
