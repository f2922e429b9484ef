import AuditAnalysis
import AuditLog
import SyncBytes
import SyncLines
import SyncModel
import TraceImport

extension ImportVerb {
    static func importCloudKit(_ arguments: ParsedArguments, _ context: CommandContext) throws {
        let operands = arguments.operands.dropFirst()
        if operands.isEmpty { throw UsageError("the files are missing: write 'import cloudkit records.json'", verb: definition.name) }
        if operands.count(where: { $0 == "-" }) > 1 {
            throw UsageError("'-' is given more than once, but standard input can be read only once", verb: definition.name)
        }
        var inputs: [CommandInput] = []
        for operand in operands {
            if operand == "-" { inputs.append(.standardInput) } else { inputs += try Operands.files(operand).map(CommandInput.file) }
        }
        inputs = OperandIdentity.removingRepeats(inputs, context)
        try arguments.checkOutputs(["output"], against: inputs, context)
        var exports: [CloudKitRecords] = []
        for input in inputs {
            var records = CloudKitRecords(keepsPrefixes: arguments.isSet("keep-prefixes"))
            switch input {
            case .standardInput: try records.read(descriptor: context.standardInput, name: input.name)
            case .file(let path): try records.read(path: path)
            }
            exports.append(records)
        }
        let sentence = try context.withOutput(path: arguments.text("output")) { output in
            exports.count == 1 ? try writeRows(exports[0], to: output) : try writeDifferences(exports, inputs.map(\.name), to: output)
        }
        context.note(sentence)
        tell(exports, context)
    }

    /// Writes the rows that `replay --outcome` reads.
    private static func writeRows(_ export: CloudKitRecords, to output: any ByteSink) throws(CommandError) -> String {
        var buffer = LineBuffer()
        for (key, record) in export.records.ordered(by: { $0.key < $1.key }) {
            buffer.beginObject()
            buffer.record(key)
            buffer.field("fields", .object(record.fields))
            buffer.endObject()
            try write(&buffer, to: output)
        }
        let types = Set(export.records.keys.map(\.type)).count
        return HumanNumber.count(export.records.count, "record") + " of " + HumanNumber.count(types, "type")
    }

    private static func writeDifferences(
        _ exports: [CloudKitRecords], _ names: [String], to output: any ByteSink
    ) throws(CommandError) -> String {
        var buffer = LineBuffer()
        var (fields, missing) = (0, 0)
        var records: Set<RecordKey> = []
        for difference in CloudKitDifferences(exports) {
            records.insert(difference.key)
            buffer.beginObject()
            buffer.record(difference.key)
            if let field = difference.field {
                fields += 1
                buffer.field("field", field.rawValue)
                buffer.key("values")
                buffer.beginObject()
                for (name, value) in zip(names, difference.values) {
                    guard let value else { continue }
                    buffer.key(named: name)
                    JSONText.append(value, to: &buffer)
                }
                buffer.endObject()
            } else {
                missing += 1
                buffer.list("missing", difference.missing) { buffer, index in JSONText.append(names[index], to: &buffer) }
            }
            buffer.key("modified")
            buffer.beginObject()
            for (name, date) in zip(names, difference.modified) {
                guard let date else { continue }
                buffer.key(named: name)
                JSONText.append(date: WriteLimits.clamped(date), to: &buffer)
            }
            buffer.endObject()
            buffer.endObject()
            try write(&buffer, to: output)
        }
        let all = exports.reduce(into: Set<RecordKey>()) { $0.formUnion($1.records.keys) }.count
        let scope = HumanNumber.count(all, "record") + " in " + HumanNumber.count(exports.count, "file")
        if records.isEmpty { return scope + ", the same in all" }
        return scope + ": \(HumanNumber.count(records.count)) differ, in \(HumanNumber.count(fields, "field")), and "
            + "\(HumanNumber.count(missing)) of them missing from some"
    }

    private static func write(_ buffer: inout LineBuffer, to output: any ByteSink) throws(CommandError) {
        buffer.append(UInt8(ascii: "\n"))
        try output.write(buffer.array)
        buffer.truncate(to: 0)
    }

    private static func tell(_ exports: [CloudKitRecords], _ context: CommandContext) {
        func total(_ count: KeyPath<CloudKitRecords, Int>) -> Int { exports.reduce(0) { $0 + $1[keyPath: count] } }
        if total(\.deleted) > 0 { context.note("\(HumanNumber.count(total(\.deleted), "deleted record")) left out") }
        if total(\.failures) > 0 {
            context.note("\(HumanNumber.count(total(\.failures), "answer")) of the server left out that say why there is no record")
        }
        if total(\.partialAnswers) > 0 {
            context.note(
                "\(HumanNumber.count(total(\.partialAnswers), "answer")) of the server "
                    + "\(total(\.partialAnswers) == 1 ? "says" : "say") that there is more: fetch on from the token in it, and name those files too"
            )
        }
        if total(\.repeats) > 0 {
            context.note("\(HumanNumber.count(total(\.repeats), "record")) came again in one file; the one saved last counts")
        }
    }
}
