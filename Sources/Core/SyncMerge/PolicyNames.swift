import SyncBytes
import SyncModel

// Policies have two names: in logs and stores one like `lastWriterWins`, on a command line and in sentences one like `last-writer-wins`.

extension MergePolicy {
    /// Those whose name says all about them.
    package static let named: [MergePolicy] = [
        .lastWriterWins, .firstWriterWins, .lastArrivalWins, .maximum, .minimum, .counter, .set, .manual,
    ]

    /// The policy of a name in logs; nil where the name does not say how it decides, as that of an app's own or of a list of devices.
    package init?(name: String) {
        guard let policy = Self.named.first(where: { $0.name == name }) else { return nil }
        self = policy
    }
}

extension MergeRules.Scope {
    /// What the name in logs begins with where the record is one register.
    package static let recordPrefix = "record:"

    /// What the names of the devices follow on a command line.
    package static let devicesPrefix = "prefer-devices:"

    /// Those that a command line can name without the name of a device.
    package static let named: [MergeRules.Scope] = MergePolicy.named.flatMap { policy in
        [.fields(policy), .record(policy)].filter { $0.optionName != nil }
    }

    /// Whether the record is one register.
    package var isRecord: Bool { if case .record = self { true } else { false } }

    /// The name in logs.
    package var name: String {
        switch self {
        case .fields(let policy): policy.name
        case .record(let policy): Self.recordPrefix + policy.name
        }
    }

    /// The name in logs of a policy without what says that the record is one register.
    package static func policyName(_ name: String) -> String {
        name.hasPrefix(recordPrefix) ? String(name.dropFirst(recordPrefix.count)) : name
    }

    /// The scope of a name in logs; nil where the name does not say how it decides.
    package init?(name: String) {
        guard let policy = MergePolicy(name: Self.policyName(name)) else { return nil }
        self = name.hasPrefix(Self.recordPrefix) ? .record(policy) : .fields(policy)
    }

    /// The name on a command line; nil where it has none.
    package var optionName: String? {
        switch self {
        case .record(.lastWriterWins), .record(.lastArrivalWins): "record-" + Self.policyName(name).separatingWords(by: "-")
        case .record, .fields(.custom): nil
        case .fields(.preferDevices(let devices)): Self.devicesPrefix + devices.map(\.rawValue).joined(separator: ",")
        case .fields: name.separatingWords(by: "-")
        }
    }

    /// The scope of a name on a command line; nil where there is none.
    package init?(optionName: String) {
        if optionName.hasPrefix(Self.devicesPrefix) {
            let devices = optionName.dropFirst(Self.devicesPrefix.count).split(separator: ",")
            self = .fields(.preferDevices(devices.map { DeviceID(String($0)) }))
        } else if let scope = Self.named.first(where: { $0.optionName == optionName }) {
            self = scope
        } else {
            return nil
        }
    }
}

extension DeletePolicy {
    /// The policy of a name in logs.
    package init?(name: String) {
        guard let policy = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = policy
    }
}
