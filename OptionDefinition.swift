/// One option of a verb. Parsing, help, completions and the manual page are all made from it.
package struct OptionDefinition: Hashable, Sendable {
    /// How an option is written.
    package enum Form: Hashable, Sendable {
        /// Without a value.
        case flag
        /// With one value, once.
        case single
        /// With one value, any number of times.
        case repeated
        /// With one value or several with commas between them, any number of times. `\,` is a comma that belongs to a value.
        case list
    }

    /// The name, without its dashes.
    package let name: String
    /// The one letter that stands for it, without its dash.
    package let short: Character?
    /// How it is written.
    package let form: Form
    /// What stands for the value in help, empty for a flag.
    package let placeholder: String
    /// The only values there are, empty where others decide.
    package let allowed: [String]
    /// The value that holds where the option is not given, as help states it.
    package let defaultText: String?
    /// A sentence on what it does.
    package let help: String

    private init(
        _ name: String, short: Character?, form: Form, placeholder: String, allowed: [String], defaultText: String?, help: String
    ) {
        self.name = name
        self.short = short
        self.form = form
        self.placeholder = placeholder
        self.allowed = allowed
        self.defaultText = defaultText
        self.help = help
    }

    /// An option without a value.
    package static func flag(_ name: String, short: Character? = nil, help: String) -> OptionDefinition {
        OptionDefinition(name, short: short, form: .flag, placeholder: "", allowed: [], defaultText: nil, help: help)
    }

    /// An option with a value that is given once.
    package static func single(
        _ name: String, short: Character? = nil, _ placeholder: String, allowed: [String] = [], default defaultText: String? = nil, help: String
    ) -> OptionDefinition {
        OptionDefinition(
            name, short: short, form: .single, placeholder: placeholder, allowed: allowed, defaultText: defaultText, help: help)
    }

    /// An option with a value that may be given any number of times.
    package static func repeated(
        _ name: String, short: Character? = nil, _ placeholder: String, allowed: [String] = [], default defaultText: String? = nil, help: String
    ) -> OptionDefinition {
        OptionDefinition(
            name, short: short, form: .repeated, placeholder: placeholder, allowed: allowed, defaultText: defaultText, help: help)
    }

    /// An option that may be given any number of times, each time with one value or several with commas between them.
    package static func list(
        _ name: String, short: Character? = nil, _ placeholder: String, allowed: [String] = [], default defaultText: String? = nil, help: String
    ) -> OptionDefinition {
        OptionDefinition(name, short: short, form: .list, placeholder: placeholder, allowed: allowed, defaultText: defaultText, help: help)
    }

    /// Every verb has it.
    package static let help = OptionDefinition.flag("help", short: "h", help: "Shows this help.")

    /// The name with its dashes.
    package var spelling: String { "--" + name }

    /// The name with its dashes and what stands for its value.
    package var usage: String { form == .flag ? spelling : "\(spelling) \(placeholder)" }
}
