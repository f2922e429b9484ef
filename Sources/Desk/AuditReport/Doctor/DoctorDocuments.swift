import AuditAnalysis
package import ProjectDoctor
import SyncBytes
import SyncLines

/// Writes what an examination of a project came to, for other programs.
package enum DoctorDocuments {
    /// One JSON object on one line.
    ///
    /// `findings` is a list of `{rule, severity, path, line, column, message, fix}`; `ignored` has a `reason` beside these; `notes` is a
    /// list of `{path, line, column, sentence}`; `stores` a list of `{framework, syncs?, reason, entities, path, line, column}`;
    /// `checklist` a list of `{title, state, detail}`; `relationships` one of `{name, destination, kept, path, line, column}`;
    /// `obstacles`, of models that do not sync, one of `{what, count}`; and `measurements`, of stores and logs, a list of
    /// `{source, records, bytes, bytesPerMonth?, waiting?, fields, losses}`, with `waiting` `{writes, bytes}`, `fields` a list of
    /// `{recordType, field, values, bytes, largest, isAsset}` and `losses` one of `{recordType, field, edits}`.
    package static func json(_ diagnosis: Diagnosis) -> [UInt8] {
        var buffer = LineBuffer()
        buffer.object { object in
            object.list("findings", diagnosis.findings) { list, finding in list.object { row(&$0, finding) } }
            object.list("ignored", diagnosis.ignored) { list, ignored in
                list.object { object in
                    row(&object, ignored.finding)
                    object.field("reason", ignored.reason)
                }
            }
            object.list("notes", diagnosis.notes) { list, note in
                list.object { object in
                    location(&object, note.location)
                    object.field("sentence", note.sentence)
                }
            }
            object.list("stores", diagnosis.stores) { list, store in
                list.object { object in
                    object.field("framework", store.framework.rawValue)
                    if let syncs = store.syncs { object.field("syncs", syncs) }
                    object.field("reason", store.reason)
                    object.list("entities", store.entities.sorted()) { JSONText.append($1, to: &$0) }
                    location(&object, store.location)
                }
            }
            object.list("checklist", diagnosis.checklist) { list, item in
                list.object { object in
                    object.field("title", item.title)
                    object.field("state", item.state.rawValue)
                    object.field("detail", item.detail)
                }
            }
            object.list("relationships", diagnosis.relationships) { list, relationship in
                list.object { object in
                    object.field("name", relationship.name)
                    object.field("destination", relationship.destination)
                    object.field("kept", relationship.kept)
                    location(&object, relationship.location)
                }
            }
            object.list("obstacles", diagnosis.obstacles.counts) { list, obstacle in
                list.object { object in
                    object.field("what", obstacle.one)
                    object.field("count", obstacle.count)
                }
            }
            if !diagnosis.measurements.isEmpty {
                object.list("measurements", diagnosis.measurements) { list, measurement in list.object { row(&$0, measurement) } }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }

    private static func row(_ object: inout LineBuffer, _ measurement: Measurement) {
        object.field("source", measurement.source)
        object.field("records", measurement.total.records)
        object.field("bytes", measurement.total.bytes)
        if let growth = measurement.bytesPerMonth { object.field("bytesPerMonth", growth) }
        if let waiting = measurement.waiting {
            object.key("waiting")
            object.object { object in
                object.field("writes", waiting.writes)
                object.field("bytes", waiting.bytes)
            }
        }
        object.list("fields", measurement.largestFields) { list, entry in
            list.object { object in
                object.field(.recordType, entry.type)
                object.field(.field, entry.name)
                object.field("values", entry.field.values)
                object.field("bytes", entry.field.bytes)
                object.field("largest", entry.field.largest)
                object.field("isAsset", entry.field.isAsset)
            }
        }
        object.list("losses", measurement.losses) { list, loss in
            list.object { object in
                object.field(.recordType, loss.type)
                object.field(.field, loss.field)
                object.field("edits", loss.edits)
            }
        }
    }

    private static func row(_ object: inout LineBuffer, _ finding: Finding) {
        object.field("rule", finding.rule)
        object.field("severity", finding.severity.rawValue)
        location(&object, finding.location)
        object.field("message", finding.message)
        object.field("fix", finding.fix)
    }

    private static func location(_ object: inout LineBuffer, _ location: SourceLocation) {
        object.field("path", location.path)
        object.field("line", location.line)
        object.field("column", location.column)
    }

    /// SARIF 2.1.0, which code hosts show beside the lines.
    ///
    /// Source: OASIS Static Analysis Results Interchange Format.
    package static func sarif(_ diagnosis: Diagnosis, version: String) -> [UInt8] {
        let rules = Rule.all
        let indices = Dictionary(rules.enumerated().map { ($1.id, $0) }) { first, _ in first }
        var buffer = LineBuffer()
        buffer.object { object in
            object.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            object.field("version", "2.1.0")
            object.list("runs", [diagnosis]) { list, diagnosis in
                list.object { run in
                    run.key("tool")
                    run.object { tool in
                        tool.key("driver")
                        tool.object { driver in
                            driver.field("name", "syncaudit doctor")
                            driver.field("version", version)
                            driver.list("rules", rules) { list, rule in list.object { descriptor(&$0, rule) } }
                        }
                    }
                    run.field("columnKind", "unicodeCodePoints")
                    run.list("results", diagnosis.findings) { list, finding in
                        list.object { result(&$0, finding, indices[finding.rule] ?? 0) }
                    }
                }
            }
        }
        buffer.append(UInt8(ascii: "\n"))
        return buffer.array
    }

    private static func descriptor(_ object: inout LineBuffer, _ rule: Rule) {
        object.field("id", rule.id)
        text(&object, "shortDescription", rule.title)
        text(&object, "fullDescription", rule.consequence)
        object.key("defaultConfiguration")
        object.object { $0.field("level", rule.severity.sarif) }
    }

    private static func result(_ object: inout LineBuffer, _ finding: Finding, _ index: Int) {
        object.field("ruleId", finding.rule)
        object.field("ruleIndex", index)
        object.field("level", finding.severity.sarif)
        text(&object, "message", "\(finding.message). Fix: \(finding.fix)")
        object.list("locations", [finding.location]) { list, location in
            list.object { object in
                object.key("physicalLocation")
                object.object { physical in
                    physical.key("artifactLocation")
                    physical.object { $0.field("uri", location.path.percentEncodedPath) }
                    physical.key("region")
                    physical.object { region in
                        region.field("startLine", location.line)
                        region.field("startColumn", location.column)
                    }
                }
            }
        }
    }

    private static func text(_ object: inout LineBuffer, _ key: StaticString, _ text: String) {
        object.key(key)
        object.object { $0.field("text", text) }
    }

    /// Workflow commands, which GitHub shows beside the lines of a pull request.
    package static func github(_ diagnosis: Diagnosis) -> String {
        diagnosis.findings.reduce(into: "") { text, finding in
            let command =
                switch finding.severity {
                case .error: "error"
                case .warning: "warning"
                case .advice: "notice"
                }
            let location = finding.location
            text += "::\(command) file=\(location.path.escapedForWorkflow(isProperty: true)),line=\(location.line),col=\(location.column),"
            text += "title=\(finding.rule)::\("\(finding.message). Fix: \(finding.fix)".escapedForWorkflow(isProperty: false))\n"
        }
    }

    /// A page for a pull request or a wiki.
    package static func markdown(_ diagnosis: Diagnosis, name: String) -> String {
        var text = "# \(name.escaped(for: .markdown))\n\n"
        let counts = Rule.Severity.allCases.map { HumanNumber.count(diagnosis.count($0), $0.rawValue, $0 == .advice ? "advice" : nil) }
            .joined(separator: ", ")
        text += counts + ".\n"
        var rule = ""
        for finding in diagnosis.findings {
            if finding.rule != rule, let known = Rule.all.first(where: { $0.id == finding.rule }) {
                rule = finding.rule
                text +=
                    "\n## \(finding.severity.rawValue): \(known.title.escaped(for: .markdown))\n\n\(known.consequence.escaped(for: .markdown)).\n\n"
            }
            let location = "\(finding.location.path):\(finding.location.line):\(finding.location.column)"
            text +=
                "- \(location.escaped(for: .markdown)): \(finding.message.escaped(for: .markdown)). "
                + "Fix: \(finding.fix.escaped(for: .markdown)).\n"
        }
        if !diagnosis.checklist.isEmpty {
            text += "\n## Setup\n\n"
            for item in diagnosis.checklist {
                text +=
                    "- [\(item.state == .yes ? "x" : " ")] \(item.title.escaped(for: .markdown)): \(item.detail.escaped(for: .markdown))\n"
            }
        }
        return text
    }
}

extension Rule.Severity {
    fileprivate var sarif: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .advice: "note"
        }
    }
}

extension String {
    /// The path as a relative reference of RFC 3986.
    fileprivate var percentEncodedPath: String {
        utf8.reduce(into: "") { text, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
    }

    /// Source: GitHub, Workflow commands.
    fileprivate func escapedForWorkflow(isProperty: Bool) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "%": text += "%25"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            case ":" where isProperty: text += "%3A"
            case "," where isProperty: text += "%2C"
            default: text += String(Character(scalar)).escaped(for: .terminal)
            }
        }
    }
}
