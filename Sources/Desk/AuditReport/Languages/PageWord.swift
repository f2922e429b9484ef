/// A sentence or a word of a page for a user, as the file of a language names it.
enum PageWord: String, Hashable, Sendable, CaseIterable {
    case daysOn = "days.on"
    case daysSince = "days.since"
    case daysUntil = "days.until"
    case daysBetween = "days.between"
    case daysAll = "days.all"

    case nothing = "headline.nothing"
    case nothingKnown = "headline.nothingKnown"
    case unknown = "headline.unknown"
    case replaced = "headline.replaced"
    case replacedMore = "headline.replacedMore"
    case suspected = "headline.suspected"
    case suspectedMore = "headline.suspectedMore"
    case also = "headline.also"
    case alsoMore = "headline.alsoMore"

    case hintNothing = "hint.nothing"
    case hintReplaced = "hint.replaced"
    case hintSuspected = "hint.suspected"
    case earlierReplaced = "earlier.replaced"
    case earlierSuspected = "earlier.suspected"

    case titleOfField = "title.field"
    case titleOfUnnamedField = "title.unnamedField"
    case titleOfRecord = "title.record"
    case titleOfUnnamedRecord = "title.unnamedRecord"
    case item = "title.item"

    case before = "side.before"
    case perhapsBefore = "side.perhapsBefore"
    case then = "side.then"
    case after = "side.after"
    case now = "side.now"
    case onDevice = "side.onDevice"
    case onSomeDevice = "side.onSomeDevice"
    case byAuthor = "side.byAuthor"

    case deleted = "value.deleted"
    case empty = "value.empty"
    case unrecorded = "value.unrecorded"
    case others = "value.others"
    case link = "value.link"
    case yes = "value.yes"
    case no = "value.no"
    case valueSeparator = "value.separator"
    case fieldSeparator = "value.fieldSeparator"
    case fieldValue = "value.field"

    case maybe = "remark.maybe"
    case restored = "remark.restored"
    case putBack = "remark.putBack"
    case putBackAndChanged = "remark.putBackAndChanged"
    case changedSince = "remark.changedSince"

    case date
    case time
    case dateAndTime = "dateAndTime"

    case footerZone = "footer.zone"
    case footerUniversal = "footer.universal"
    case footerNow = "footer.now"
    case footerOthers = "footer.others"

    /// What decides between the forms of a sentence.
    enum Forms {
        case none
        /// A number, by the language's plural rules.
        case plural
        /// Whether what `{type}` stands for begins with a vowel of English.
        case vowel
    }

    var forms: Forms {
        switch self {
        case .replaced, .replacedMore, .suspected, .suspectedMore, .also, .alsoMore, .earlierReplaced, .earlierSuspected, .date: .plural
        case .titleOfUnnamedField, .titleOfUnnamedRecord: .vowel
        default: .none
        }
    }

    /// What is put into the sentence, each as `{name}`.
    var placeholders: [String] {
        switch self {
        case .daysOn, .daysSince, .daysUntil: ["date"]
        case .daysBetween: ["since", "until"]
        case .nothing, .nothingKnown, .unknown: ["days"]
        case .replaced, .replacedMore, .suspected, .suspectedMore: ["count", "days"]
        case .also, .alsoMore: ["replaced", "count"]
        case .earlierReplaced, .earlierSuspected: ["count", "date"]
        case .titleOfField: ["field", "name"]
        case .titleOfUnnamedField: ["field", "type"]
        case .titleOfRecord: ["type", "name"]
        case .titleOfUnnamedRecord: ["type"]
        case .onDevice, .byAuthor: ["name", "time"]
        case .onSomeDevice, .footerNow: ["time"]
        case .fieldValue: ["field", "value"]
        case .date: ["day", "month", "year"]
        case .time: ["hour", "minute"]
        case .dateAndTime: ["date", "time"]
        case .footerZone: ["zone"]
        default: []
        }
    }
}
