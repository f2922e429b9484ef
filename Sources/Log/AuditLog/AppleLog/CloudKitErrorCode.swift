/// The codes of CloudKit's errors by name.
///
/// Source: `CKError.Code` in Apple's documentation of CloudKit, 1 to 37.
package enum CloudKitErrorCode {
    private static let names = [
        1: "internal error", 2: "partial failure", 3: "network unavailable", 4: "network failure", 5: "bad container",
        6: "service unavailable", 7: "request rate limited", 8: "missing entitlement", 9: "not authenticated", 10: "permission failure",
        11: "unknown item", 12: "invalid arguments", 13: "results truncated", 14: "server record changed", 15: "server rejected request",
        16: "asset file not found", 17: "asset file modified", 18: "incompatible version", 19: "constraint violation",
        20: "operation cancelled", 21: "change token expired", 22: "batch request failed", 23: "zone busy", 24: "bad database",
        25: "quota exceeded", 26: "zone not found", 27: "limit exceeded", 28: "user deleted zone", 29: "too many participants",
        30: "already shared", 31: "reference violation", 32: "managed account restricted", 33: "participant may need verification",
        34: "server response lost", 35: "asset not available", 36: "account temporarily unavailable", 37: "participant already invited",
    ]

    /// The code of a failure that is one of some of its items.
    static let partialFailure = 2

    /// What a code means, with the code; the code alone where it is not known.
    package static func description(_ code: Int) -> String { names[code].map { "\($0) (CKError \(code))" } ?? "CKError \(code)" }

    /// Whether a code says that the account cannot sync, whatever was tried: signed out, restricted, out of storage.
    static func concernsAccount(_ code: Int) -> Bool { [9, 25, 32, 36].contains(code) }

    /// Whether a code says that the network is at fault.
    static func concernsNetwork(_ code: Int) -> Bool { [3, 4].contains(code) }
}
