import ChildProcess
import CommandWorld
import Foundation
import SyncBytes
import SyncModel

/// Chromium without a window, driven through a pipe by the Chrome DevTools Protocol.
final class Browser {
    /// Why something could not be done.
    struct Failure: Error {
        let sentence: String
    }

    /// Where the browser is; nil where there is none.
    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// What a page should not do: errors, messages, dialogs, requests for anything but itself.
    private(set) var complaints: [String] = []

    private let process: ChildProcess
    private let directory: TemporaryDirectory
    private let alarm: DispatchWorkItem
    private var received: [UInt8] = []
    private var session: String?
    private var number: Int64 = 0
    /// The page that is open, and whether all of it is there.
    private var page = ""
    private var isLoaded = false

    init() throws {
        directory = try TemporaryDirectory()
        // The protocol is spoken on descriptors 3 and 4. The page is ours and no sandbox is there in most containers.
        let options = "--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --remote-debugging-pipe"
        let command = "exec \(Self.path ?? "chromium") \(options) --user-data-dir='\(directory.path)' 3<&0 4>&1 2>/dev/null"
        process = try ChildProcess(path: "/bin/sh", ["-c", command])
        let identifier = process.identifier
        // A browser that hangs ends with an error, not with a test that never ends.
        alarm = DispatchWorkItem { kill(identifier, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 600, execute: alarm)
        let target = try call("Target.createTarget", ["url": "about:blank"])["targetId"]
        session = try call("Target.attachToTarget", ["targetId": target ?? .null, "flatten": true])["sessionId"]?.string
        for domain in ["Page", "Runtime", "Log", "Network"] { try call("\(domain).enable") }
    }

    deinit {
        alarm.cancel()
        process.signal(SIGKILL)
        process.wait()
    }

    /// Opens a file and waits until it is loaded.
    func open(_ path: String) throws {
        page = URL(fileURLWithPath: path).absoluteString
        isLoaded = false
        let answer = try call("Page.navigate", ["url": .string(page)])
        if let problem = answer["errorText"]?.string { throw Failure(sentence: problem) }
        while !isLoaded { _ = try receive() }
    }

    /// Waits until the page that is open has loaded itself again.
    func waitForLoad() throws {
        isLoaded = false
        while !isLoaded { _ = try receive() }
    }

    /// The value of an expression in the page.
    @discardableResult
    func value(_ expression: String) throws -> FieldValue {
        let answer = try call("Runtime.evaluate", ["expression": .string(expression), "returnByValue": true])
        if let problem = answer["exceptionDetails"] { throw Failure(sentence: "\(expression): \(problem)") }
        return answer["result"]?.object?["value"] ?? .null
    }

    /// Presses and releases a key, as a person does.
    func press(_ key: Key) throws {
        func event(_ type: FieldValue, _ text: FieldValue) -> FieldMap {
            [
                "type": type, "key": .string(key.rawValue), "code": .string(key.rawValue), "text": text,
                "windowsVirtualKeyCode": .number(JSONNumber(key.code)),
            ]
        }
        try call("Input.dispatchKeyEvent", event("keyDown", key == .enter ? "\r" : ""))
        try call("Input.dispatchKeyEvent", event("keyUp", ""))
    }

    /// Types a text where the focus is.
    func type(_ text: String) throws { try call("Input.insertText", ["text": .string(text)]) }

    /// Makes the page as wide and high as a screen.
    func resize(width: Int64, height: Int64, isTelephone: Bool) throws {
        try call(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(JSONNumber(width)), "height": .number(JSONNumber(height)), "deviceScaleFactor": 1,
                "mobile": .bool(isTelephone),
            ])
    }

    /// Says what the reader's system is set to.
    func prefer(_ scheme: String) throws {
        try call("Emulation.setEmulatedMedia", ["features": [["name": "prefers-color-scheme", "value": .string(scheme)]]])
    }

    /// Turns scripts of pages off.
    func disableScripts() throws { try call("Emulation.setScriptExecutionDisabled", ["value": true]) }

    /// A key.
    enum Key: String {
        case tab = "Tab"
        case enter = "Enter"
        case escape = "Escape"

        var code: Int64 {
            switch self {
            case .tab: 9
            case .enter: 13
            case .escape: 27
            }
        }
    }

    @discardableResult
    private func call(_ method: String, _ parameters: FieldMap = [:]) throws -> FieldMap {
        number += 1
        let id = FieldValue.number(JSONNumber(number))
        let plain: FieldMap = ["id": id, "method": .string(method), "params": .object(parameters)]
        let toPage: FieldMap? = session.map {
            ["id": id, "method": .string(method), "params": .object(parameters), "sessionId": .string($0)]
        }
        var bytes: [UInt8] = []
        JSONText.append(toPage ?? plain, to: &bytes)
        guard process.write(bytes + [0]) else { throw Failure(sentence: "the browser has ended before \(method)") }
        while true {
            let answer = try receive()
            guard answer["id"] == id else { continue }
            guard let result = answer["result"]?.object else { throw Failure(sentence: "\(method): \(answer["error"] ?? .null)") }
            return result
        }
    }

    /// The next message; messages end with a zero byte.
    private func receive() throws -> FieldMap {
        while true {
            if let end = received.firstIndex(of: 0) {
                let text = String(decoding: received[..<end], as: UTF8.self)
                received.removeFirst(end + 1)
                guard let message = try JSONParser.parse(text).object else { throw Failure(sentence: "no object: \(text)") }
                note(message)
                return message
            }
            let more = process.available()
            if more.isEmpty { throw Failure(sentence: "the browser has ended") }
            received += more
        }
    }

    /// Takes note of what a page should not do.
    private func note(_ event: FieldMap) {
        let parameters = event["params"]?.object
        switch event["method"]?.string {
        case "Page.loadEventFired": isLoaded = true
        case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Page.javascriptDialogOpening", "Log.entryAdded":
            complaints.append("\(event)")
        case "Network.requestWillBeSent":
            // What comes after the number sign is not asked for; the protocol tells it apart.
            if parameters?["request"]?.object?["url"]?.string != page { complaints.append("\(event)") }
        default: break
        }
    }
}
