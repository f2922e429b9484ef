import AuditAnalysis
package import ConflictAudit
import SyncBytes
import SyncMerge
package import SyncModel

/// Writes metrics and conflicts in the JSON form of the OpenTelemetry protocol, one request to a line, as the collector's file receiver
/// reads them.
///
/// Source: *OpenTelemetry Protocol Specification* 1.3 and its `.proto` files; 64-bit numbers are texts there.
package struct OpenTelemetry: Sendable {
    private let version: String

    /// A renderer.
    ///
    /// - Parameter version: The version of the command.
    package init(version: String) {
        self.version = version
    }

    // MARK: Metrics

    /// The metrics as an `ExportMetricsServiceRequest`, ended by a line feed.
    ///
    /// - Parameters:
    ///   - families: The metrics.
    ///   - start: Since when counters count, in milliseconds since 1970.
    ///   - now: When they were read off.
    package func metrics(_ families: [MetricFamily], from start: Int64, now: Int64) -> [UInt8] {
        var buffer = LineBuffer()
        write("resourceMetrics", "scopeMetrics", resource: nil, to: &buffer) { object in
            object.list("metrics", families.filter { !$0.samples.isEmpty }) { object, family in
                append(family, from: start, now: now, to: &object)
            }
        }
        return buffer.array
    }

    private func append(_ family: MetricFamily, from start: Int64, now: Int64, to buffer: inout LineBuffer) {
        buffer.object { object in
            // Names are dotted here: `syncaudit.conflicts_by_kind`.
            object.field("name", "syncaudit." + family.name.dropFirst("syncaudit_".utf8.count))
            object.field("description", family.help)
            object.field("unit", family.isInSeconds ? "s" : family.isInBytes ? "By" : "1")
            object.key(named: family.kind == .counter ? "sum" : "gauge")
            object.object { object in
                object.list("dataPoints", family.samples) { object, sample in
                    object.object { object in
                        object.attributes(sample.labels.map { ("syncaudit." + $0.name, .text($0.value)) })
                        if family.kind == .counter { object.time("startTimeUnixNano", min(sample.created ?? start, now)) }
                        object.time("timeUnixNano", now)
                        switch sample.value {
                        case .count: object.field("asInt", sample.value.text)
                        case .milliseconds:
                            object.key("asDouble")
                            object.append(verbatim: sample.value.text)
                        }
                    }
                }
                guard family.kind == .counter else { return }
                // AGGREGATION_TEMPORALITY_CUMULATIVE
                object.field("aggregationTemporality", 2)
                object.field("isMonotonic", true)
            }
        }
    }

    // MARK: Logs

    /// A conflict, and the log that it stood in.
    package struct LoggedConflict: Sendable {
        /// The conflict.
        package let conflict: Conflict
        /// The device that logged it.
        package let source: DeviceID?

        /// Pairs the two.
        package init(_ conflict: Conflict, source: DeviceID?) {
            self.conflict = conflict
            self.source = source
        }
    }

    /// Conflicts of one log as an `ExportLogsServiceRequest`, ended by a line feed.
    package func logs(_ conflicts: [LoggedConflict], now: Int64) -> [UInt8] {
        var buffer = LineBuffer()
        write("resourceLogs", "scopeLogs", resource: conflicts.first?.source, to: &buffer) { object in
            object.list("logRecords", conflicts) { object, logged in append(logged.conflict, now: now, to: &object) }
        }
        return buffer.array
    }

    private func append(_ conflict: Conflict, now: Int64, to buffer: inout LineBuffer) {
        buffer.object { object in
            object.time("timeUnixNano", conflict.milliseconds)
            object.time("observedTimeUnixNano", now)
            let severity = Self.severity(conflict.severity)
            object.field("severityNumber", severity.number)
            object.field("severityText", severity.name)
            object.key("body")
            object.value(.text(Self.sentence(conflict)))
            object.attributes(Self.attributes(conflict))
            object.field("eventName", "syncaudit.conflict")
        }
    }

    /// A `SeverityNumber` of the protocol and its short name: a value discarded, edits that a delete discarded, and replicas that disagree
    /// are told apart.
    private static func severity(_ severity: Conflict.Severity) -> (number: Int, name: String) {
        switch severity {
        case .benign, .merged: (9, "INFO")
        case .lossy: (13, "WARN")
        case .destructive: (17, "ERROR")
        case .divergent: (18, "ERROR2")
        }
    }

    private static func sentence(_ conflict: Conflict) -> String {
        let register = conflict.field.map { "\(conflict.key).\($0)" } ?? "\(conflict.key)"
        return
            "\(conflict.kind.rawValue) on \(register): \(conflict.winner.dot.device) won over \(conflict.loser.dot.device) (\(conflict.severity.rawValue))"
    }

    private static func attributes(_ conflict: Conflict) -> [(String, Attribute)] {
        var attributes: [(String, Attribute)] = [
            ("id", .text(conflict.id.description)), ("kind", .text(conflict.kind.rawValue)),
            ("severity", .text(conflict.severity.rawValue)),
            ("basis", .text(conflict.basis.rawValue)), ("record_type", .text(conflict.key.type.rawValue)),
            ("record_id", .text(conflict.key.id.rawValue)),
        ]
        if let name = conflict.name { attributes.append(("record_name", .text(name.text))) }
        if let field = conflict.field { attributes.append(("field", .text(field.rawValue))) }
        for (name, side) in [("winner", conflict.winner), ("loser", conflict.loser)] {
            attributes.append((name + ".device", .text(side.dot.device.rawValue)))
            attributes.append((name + ".n", .integer(Int64(clamping: side.dot.sequence))))
            attributes.append((name + ".operation", .text(side.operation.rawValue)))
            if let value = side.value { attributes.append((name + ".value", .json(value))) }
        }
        attributes += [
            ("policy", .text(conflict.policy)), ("resolution", .text(conflict.resolution.rawValue)),
            ("reason", .text(conflict.reason.rawValue)),
            ("gap_ms", .integer(conflict.gapMilliseconds)),
        ]
        attributes += Conflict.Flag.allCases.map { ($0.key.description.separatingWords(by: "_"), .flag(conflict.flags[$0])) }
        return attributes.map { ("syncaudit." + $0.0, $0.1) }
    }

    // MARK: Both

    private func write(
        _ list: StaticString, _ scopes: StaticString, resource: DeviceID?, to buffer: inout LineBuffer,
        _ body: (inout LineBuffer) -> Void
    ) {
        buffer.object { object in
            object.list(list, [0]) { object, _ in
                object.object { object in
                    object.key("resource")
                    object.object { object in
                        var attributes: [(String, Attribute)] = [("service.name", .text("syncaudit"))]
                        if let resource { attributes.append(("service.instance.id", .text(resource.rawValue))) }
                        object.attributes(attributes)
                    }
                    object.list(scopes, [0]) { object, _ in
                        object.object { object in
                            object.key("scope")
                            object.object { object in
                                object.field("name", "syncaudit")
                                object.field("version", version)
                            }
                            body(&object)
                        }
                    }
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
    }

    /// The value of an attribute.
    fileprivate enum Attribute {
        case text(String)
        case integer(Int64)
        case flag(Bool)
        /// Any value, as its JSON in a text: attributes hold no nulls.
        case json(FieldValue)
    }
}

extension LineBuffer {
    /// Appends a time in nanoseconds; one before 1970 counts as 1970, which is the first that there is.
    fileprivate mutating func time(_ key: StaticString, _ milliseconds: Int64) {
        let (nanoseconds, overflow) = UInt64(max(0, milliseconds)).multipliedReportingOverflow(by: 1_000_000)
        field(key, String(overflow ? .max : nanoseconds))
    }

    fileprivate mutating func attributes(_ attributes: [(String, OpenTelemetry.Attribute)]) {
        list("attributes", attributes) { buffer, attribute in
            buffer.object { object in
                object.field("key", attribute.0)
                object.key("value")
                object.value(attribute.1)
            }
        }
    }

    /// Appends an `AnyValue`; its key has been written.
    fileprivate mutating func value(_ value: OpenTelemetry.Attribute) {
        object { object in
            switch value {
            case .text(let text): object.field("stringValue", text)
            case .integer(let number): object.field("intValue", String(number))
            case .flag(let flag): object.field("boolValue", flag)
            case .json(let value): object.field("stringValue", JSONText.string(value))
            }
        }
    }
}
