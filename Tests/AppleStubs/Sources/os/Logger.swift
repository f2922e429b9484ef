// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// A stand-in for Apple's logging where that is not to be had: the declarations that the sink uses, named and typed as Apple documents them, on
// the page below developer.apple.com/documentation/ that is beside each type. Messages are kept.

import Foundation

// os/oslogprivacy
public struct OSLogPrivacy: Sendable {
    let isPublic: Bool

    public static let `public` = OSLogPrivacy(isPublic: true)
    public static let `private` = OSLogPrivacy(isPublic: false)
}

// os/osloginterpolation
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(
        _ value: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .private
    ) {
        text += privacy.isPublic ? value() : "<private>"
    }
}

// os/oslogmessage
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }

    public init(stringLiteral value: String) { text = value }
}

// os/logger
public struct Logger: Sendable {
    private let subsystem: String
    private let category: String

    /// What was logged, by subsystem and category.
    public static func messages(subsystem: String, category: String) -> [String] {
        lock.withLock { kept["\(subsystem) \(category)"] ?? [] }
    }

    private static let lock = NSLock()
    // Sound: reached with the lock held.
    nonisolated(unsafe) private static var kept: [String: [String]] = [:]

    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
    }

    public func log(_ message: OSLogMessage) {
        Self.lock.withLock { Self.kept["\(subsystem) \(category)", default: []].append(message.text) }
    }
}
