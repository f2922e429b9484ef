import Foundation
import HubServing
import Logging
import SyncAudit
import SyncHTTP

// The rules by which your app merges: the server's audit goes by them too. Better is a target that both have, with the app's structs, and
// configuration.declare(Card.self) here.
var configuration = ReplicaConfiguration()
configuration.mergeRules = MergeRules(fields: ["Card": ["visits": .counter]])

// HubServer [--host HOST] [--port PORT] [--directory DIR] [--tokens FILE] [--compact MINUTES]
//
// Its files are in DIR: a space's writes, and in DIR/audit the log of the conflicts among them, for syncaudit report.
// With --compact a space lets go of what its records do not need, looked through every so many minutes while it is written to; that is then
// in DIR/audit, with its values, and nowhere else.
// Without --tokens everybody who reaches it may use the spaces that there are files for, and "default": so it serves this machine alone.

func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("HubServer: \(sentence)\n".utf8))
    exit(64)
}

var options = ["host": "127.0.0.1", "port": "8080", "directory": "hubs"]
var arguments = CommandLine.arguments.dropFirst()
while let name = arguments.popFirst() {
    guard name.hasPrefix("--"), ["host", "port", "directory", "tokens", "compact"].contains(String(name.dropFirst(2))) else {
        fail("there is no option \(name); --host, --port, --directory, --tokens and --compact are options")
    }
    guard let value = arguments.popFirst() else { fail("\(name) needs a value") }
    options[String(name.dropFirst(2))] = value
}
guard let host = options["host"], let directory = options["directory"] else { fail("an option is missing") }
guard let port = options["port"].flatMap({ Int($0) }), (0...65535).contains(port) else { fail("--port is a number from 0 to 65535") }
let compactionInterval = options["compact"].map { Int($0) ?? -1 }
if let minutes = compactionInterval, !(0...525_600).contains(minutes) { fail("--compact is a number of minutes, up to a year") }
try FileManager.default.createDirectory(atPath: directory + "/audit", withIntermediateDirectories: true)
let metrics = PrometheusMetrics()
let audits = SpaceAudits(
    directory: directory + "/audit", configuration: configuration, metrics: metrics, logger: Logger(label: "HubServer"),
    compactionInterval: compactionInterval.map { .seconds(60 * $0) })
let spaces: Spaces

let service: HubService
if let path = options["tokens"] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { fail("the file \(path) cannot be read") }
    let tokens: Tokens
    do { tokens = try Tokens(text) } catch { fail("\(path), \(error.description)") }
    let known = tokens.spaces
    spaces = Spaces(directory: directory, onOpen: audits.begin, isKnown: { known.contains($0) })
    service = HubService(authorize: { tokens.access($0, $1, $2) }, hub: { [spaces] in try spaces.hub(of: $0) })
} else {
    guard ["127.0.0.1", "localhost", "::1"].contains(host) else {
        fail("without --tokens everybody may read and write all: give a file of tokens, or serve 127.0.0.1 alone")
    }
    spaces = Spaces(
        directory: directory, onOpen: audits.begin,
        isKnown: { $0 == "default" || FileManager.default.fileExists(atPath: "\(directory)/\($0).sqlite") })
    service = HubService(
        authorize: { _, _, call in SpaceAudits.refusal(of: call) ?? .allowed },
        hub: { [spaces] in try spaces.hub(of: $0) })
}
let tokenFile = options["tokens"]
let server = HubServer(service: service, metrics: metrics, services: [audits], onWrites: audits.look)
let application = server.application(host: host, port: port) { port in
    let server = "http://\(host):\(port)"
    let space = tokenFile == nil ? "default" : "SPACE"
    let token = tokenFile == nil ? "" : " -H 'Authorization: Bearer TOKEN'"
    let greeting = """
        Serving \(tokenFile.map { "the spaces of \($0)" } ?? "the space \"default\"") at \(server), the files in \(directory).
        An app syncs with it by
            HTTPHub(space: "\(space)", transport: try URLSessionTransport(server: "\(server)"))\(tokenFile == nil ? "" : " { _ in token }")
        The conflicts among what was written are counted at \(server)/metrics and logged for
            syncaudit report \(directory)/audit/\(space)
        and what was written, with the values, is shown by
            curl -s\(token) '\(server)/v1/spaces/\(space)/writes?device=me'

        """
    // At once, also into a file.
    FileHandle.standardOutput.write(Data(greeting.utf8))
}
try await application.runService()
