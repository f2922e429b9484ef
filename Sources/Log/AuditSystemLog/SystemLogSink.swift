#if canImport(os)
    public import AuditLog
    public import ConflictAudit
    public import SyncModel
    import os

    /// Writes events to the system's log, as the lines of the log format.
    ///
    /// `log show --style ndjson` gives them back, and the command reads that: `log show --style ndjson | syncaudit tail --category sync -`.
    /// The system cuts messages of more than a kilobyte, so that a line may need its values left out, and one that is still too long is
    /// replaced by a `log` line that counts it as dropped. Lines have no numbers: the system may lose messages, and says so itself.
    ///
    /// ```swift
    /// let sink = BroadcastingAuditSink([log, SystemLogSink(subsystem: "com.example.notes", source: "phone")])
    /// ```
    ///
    /// Thread-safe.
    public struct SystemLogSink: AuditSink {
        /// The longest line that is written, in bytes.
        public static let maximumLength = 1000

        private let logger: Logger
        private let source: DeviceID
        private let privacy: ValuePrivacy

        /// A sink.
        ///
        /// - Parameters:
        ///   - subsystem: The app, by its bundle identifier.
        ///   - category: What `syncaudit tail --category` asks for.
        ///   - source: The device that logs.
        ///   - privacy: Which values are written: none unless asked for. Everybody who can read the system's log reads them.
        public init(subsystem: String, category: String = "sync", source: DeviceID, privacy: ValuePrivacy = .omitted) {
            logger = Logger(subsystem: subsystem, category: category)
            self.source = source
            self.privacy = privacy
        }

        /// Writes an event.
        public func record(_ event: AuditEvent) {
            var line = line(event.applying(privacy))
            if line.utf8.count > Self.maximumLength { line = self.line(event.applying(.omitted)) }
            if line.utf8.count > Self.maximumLength { line = self.line(AuditEvent(at: event.time, .log(.dropped(1)))) }
            logger.log("\(line, privacy: .public)")
        }

        private func line(_ event: AuditEvent) -> String {
            var bytes: [UInt8] = []
            LineEncoder.append(AuditLine(source: source, event: event), to: &bytes)
            return String(decoding: bytes.dropLast(), as: UTF8.self)
        }
    }

    extension AuditEvent {
        fileprivate func applying(_ privacy: ValuePrivacy) -> AuditEvent {
            switch content {
            case .write(let write): AuditEvent(at: time, .write(privacy.applied(to: write)))
            case .merge(let merge): AuditEvent(at: time, .merge(privacy.applied(to: merge)))
            case .conflict(let conflict): AuditEvent(at: time, .conflict(privacy.applied(to: conflict)))
            default: self
            }
        }
    }
#endif
