import AuditAnalysis
import AuditLog
import AuditReport
import ConflictAudit
import FileFormats
import SyncBytes
import SyncModel
import SyncSystem

/// What the options say of a page for a user.
struct UserPageOptions {
    /// The language that the page is written in.
    let language: PageLanguage
    /// The zone of its times and days.
    let zone: TimeZoneOffsets
    private let users: Set<DeviceID>
    private let showsOthers: Bool

    /// Whose values may be on the page; nil for everybody's.
    var persons: Set<DeviceID>? { users.isEmpty || showsOthers ? nil : users }

    /// The options of a command line; nil where the report is for nobody of the kind.
    init?(_ arguments: ParsedArguments, _ format: ReportVerb.Format, _ context: CommandContext) throws {
        let verb = arguments.verb.name
        guard try arguments.choice("for", as: ReportVerb.Reader.self) == .user else {
            if format != .html, arguments.isSet("for") { throw UsageError("--for is about the reader of --format html", verb: verb) }
            for option in ["user", "show-others", "language", "zone"] where arguments.isSet(option) {
                throw UsageError("--\(option) is about a page for a user: add --for user", verb: verb)
            }
            return nil
        }
        guard format == .html || format == .markdown else {
            throw UsageError("--for is about the reader of a page: use --format html or markdown with --for user", verb: verb)
        }
        users = Set(arguments.texts("user").map { DeviceID($0) })
        showsOthers = arguments.isSet("show-others")
        language = try Self.language(arguments.text("language") ?? "en", verb)
        zone = try Self.zone(arguments.text("zone") ?? "UTC", verb, context)
    }

    /// Narrows a filter to what was lost of the user's, and moves the dates that the options name into the zone.
    func apply(to filter: inout ReportFilter, _ arguments: ParsedArguments) {
        filter.losers = users
        func start(_ option: String, dayAfter days: Int) -> WallTime? {
            guard let text = arguments.text(option), text.utf8.count == 10, let midnight = RFC3339.milliseconds(text + "T00:00:00Z") else {
                return nil
            }
            return WallTime(millisecondsSince1970: zone.start(ofDay: RFC3339.split(midnight).day + days))
        }
        if let since = start("since", dayAfter: 0) { filter.since = since }
        if let until = start("until", dayAfter: 1) { filter.until = until }
    }

    /// Whether it is known whose page it is.
    ///
    /// - Throws: ``CommandError`` where no line names a user, or the changes are those of several authors and none is named.
    func check(_ survey: PageSurvey, _ listing: ConflictListing, _ arguments: ParsedArguments, _ context: CommandContext) throws {
        let names = survey.devices
        for user in users.sorted() where !names.contains(where: { Set([user]).contains(writer: $0) }) {
            let name = user.rawValue
            let nearest = EditDistance.nearest(to: name, among: names.map(\.rawValue))
            throw CommandError(
                .noInput,
                "--user: no line names the device or author \(name.quoted)"
                    + (nearest.map { "; the most similar name is \($0.quoted)" } ?? ""))
        }
        if !users.isEmpty || showsOthers { return }
        let conflicts = listing.conflicts.filter(\.losesEdit)
        let writers = Set(conflicts.flatMap { [$0.winner, $0.loser] }.map(\.dot.device.firstWriter)).sorted()
        guard writers.count > 1 else { return }
        let named = writers.prefix(Self.namedWriters).map { EventText.name($0.rawValue) }.joined(separator: ", ")
        let all = writers.count > Self.namedWriters ? named + " and others" : named
        guard conflicts.contains(where: { $0.policy == SavedRowsAudit.policy }) else {
            return context.note(
                "all devices are taken for one person's: \(all); --user names those whose page it is, and leaves out what others wrote")
        }
        throw CommandError(
            .usage,
            "whose page this is must be said, since the rows are of several authors: \(all); --user NAME makes the page of one, without what "
                + "others wrote, and --show-others one of all")
    }

    private static let namedWriters = 5

    private static func language(_ name: String, _ verb: String) throws -> PageLanguage {
        if let language = PageLanguage.known(name) { return language }
        guard name.hasSuffix(".json") else {
            throw UsageError(
                "--language: \(name.quoted) does not come along, as \(PageLanguage.known.joined(separator: ", ")) do; "
                    + "a file of your own ends in .json",
                verb: verb)
        }
        let bytes: [UInt8]?
        do throws(Errno) {
            bytes = try contents(ofFile: name, atMost: 1 << 20)
        } catch {
            throw CommandError(.noInput, "\(name.quoted): \(error.sentence)")
        }
        guard let bytes else { throw CommandError(.badData, "\(name.quoted) is no language: it is no file of less than 1 MiB") }
        do throws(PageLanguageProblem) {
            return try PageLanguage(bytes)
        } catch {
            throw CommandError(.badData, "\(name): \(error.sentence)")
        }
    }

    private static func zone(_ name: String, _ verb: String, _ context: CommandContext) throws -> TimeZoneOffsets {
        if let zone = TimeZoneOffsets(writtenAs: name) { return zone }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.first != UInt8(ascii: ".")
                && part.utf8.allSatisfy {
                    $0 < 128 && (Unicode.Scalar($0).properties.isAlphabetic || $0.isDigit || "_+-".utf8.contains($0))
                }
        }
        let folders = [context.environment("TZDIR"), "/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"].compactMap(\.self)
        for folder in folders where isName {
            guard let bytes = try? contents(ofFile: "\(folder)/\(name)", atMost: 1 << 20) else { continue }
            guard let zone = TimeZoneOffsets(name: name, file: bytes) else {
                throw CommandError(.badData, "\((folder + "/" + name).quoted) is no file of the tz database of version 2 or later")
            }
            return zone
        }
        let hasFiles = folders.contains { (try? FileStatus(path: $0)) != nil }
        throw UsageError(
            "--zone: \(name.quoted) is no zone that this machine knows; name one as Europe/Berlin, or give an offset as +02:00"
                + (hasFiles ? "" : ", since \(folders[0]) is not there: the package tzdata brings it"),
            verb: verb)
    }
}

/// What is known of lines before a page for a user is made: the latest time, and who writes.
struct PageSurvey: EventObserver {
    /// The latest time of a line, in milliseconds since 1970.
    private(set) var latest: Int64?
    /// The devices and authors that lines name.
    private(set) var devices: Set<DeviceID> = []
    /// How many of the scanner's names are among them.
    private var known = 0

    static var choosesLines: Bool { true }

    mutating func chooses(_ line: ScannedLine, _ names: ScannedNames) -> Bool {
        record(line.isConflict ? line.count : line.milliseconds)
        while known < names.devices.count {
            devices.insert(DeviceID(names.devices.name(known).text))
            known += 1
        }
        return false
    }

    mutating func observe(_ line: AuditLine, at location: AuditLogReader.Location) {
        record(line.event.milliseconds)
        switch line.event.content {
        case .write(let write): devices.insert(write.dot.device)
        case .conflict(let conflict): devices.formUnion([conflict.winner.dot.device, conflict.loser.dot.device])
        default: break
        }
    }

    private mutating func record(_ time: Int64) { latest = max(latest ?? .min, time) }
}
