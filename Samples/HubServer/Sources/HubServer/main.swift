import Foundation
import HubServing
import SyncHTTP

// HubServer [--host HOST] [--port PORT] [--directory DIR] [--tokens FILE]
//
// Without --tokens everybody who reaches it may use the spaces that there are files for, and "default": so it serves this machine alone.

func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("HubServer: \(sentence)\n".utf8))
    exit(64)
}

var options = ["host": "127.0.0.1", "port": "8080", "directory": "hubs"]
var arguments = CommandLine.arguments.dropFirst()
while let name = arguments.popFirst() {
    guard name.hasPrefix("--"), ["host", "port", "directory", "tokens"].contains(String(name.dropFirst(2))) else {
        fail("there is no option \(name); --host, --port, --directory and --tokens are options")
    }
    guard let value = arguments.popFirst() else { fail("\(name) needs a value") }
    options[String(name.dropFirst(2))] = value
}
guard let host = options["host"], let directory = options["directory"] else { fail("an option is missing") }
guard let port = options["port"].flatMap({ Int($0) }), (0...65535).contains(port) else { fail("--port is a number from 0 to 65535") }
try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)

let service: HubService
if let path = options["tokens"] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { fail("the file \(path) cannot be read") }
    let tokens: Tokens
    do { tokens = try Tokens(text) } catch { fail("\(path), \(error.description)") }
    let known = tokens.spaces
    let spaces = Spaces(directory: directory) { known.contains($0) }
    service = HubService(authorize: { tokens.access($0, $1, $2) }, hub: { try spaces.hub(of: $0) })
} else {
    guard ["127.0.0.1", "localhost", "::1"].contains(host) else {
        fail("without --tokens everybody may read and write all: give a file of tokens, or serve 127.0.0.1 alone")
    }
    let spaces = Spaces(directory: directory) { space in
        space == "default" || FileManager.default.fileExists(atPath: "\(directory)/\(space).sqlite")
    }
    service = HubService(hub: { try spaces.hub(of: $0) })
}
let tokenFile = options["tokens"]
let application = HubServer(service: service).application(host: host, port: port) { port in
    let server = "http://\(host):\(port)"
    let space = tokenFile == nil ? "default" : "SPACE"
    let token = tokenFile == nil ? "" : " -H 'Authorization: Bearer TOKEN'"
    let greeting = """
        Serving \(tokenFile.map { "the spaces of \($0)" } ?? "the space \"default\"") at \(server), the files in \(directory).
        An app syncs with it by
            HTTPHub(space: "\(space)", transport: try URLSessionTransport(server: "\(server)"))\(tokenFile == nil ? "" : " { _ in token }")
        and what was written, with its conflicts, is shown by
            curl -s\(token) '\(server)/v1/spaces/\(space)/writes?device=me' | syncaudit audit - | syncaudit report -
        A field that is counted up is a counter for the audit too: syncaudit audit --policy-for Card.visits=counter -

        """
    // At once, also into a file.
    FileHandle.standardOutput.write(Data(greeting.utf8))
}
try await application.runService()
