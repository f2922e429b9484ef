package import SyncBytes

extension JSONText {
    /// The text of a value.
    package static func string(_ value: FieldValue) -> String {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a value.
    ///
    /// The keys of objects come in the order of their bytes.
    package static func append(_ value: FieldValue, to buffer: inout LineBuffer) {
        switch value {
        case .null: buffer.append("null")
        case .bool(let flag): buffer.append(flag ? "true" : "false")
        case .number(let number): buffer.append(verbatim: number.text)
        case .string(let text): append(text, to: &buffer)
        case .array(let elements):
            buffer.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { buffer.append(UInt8(ascii: ",")) }
                append(element, to: &buffer)
            }
            buffer.append(UInt8(ascii: "]"))
        case .object(let fields): append(fields, to: &buffer)
        }
    }

    /// Appends an object.
    package static func append(_ fields: FieldMap, to buffer: inout LineBuffer) {
        buffer.beginObject()
        let names = fields.sortedNames.span
        for index in names.indices {
            buffer.key(named: names[index].bytes)
            fields.written(at: index).append(to: &buffer)
        }
        buffer.endObject()
    }

    /// Appends a value to a plain array.
    package static func append(_ value: FieldValue, to bytes: inout [UInt8]) {
        var buffer = LineBuffer()
        append(value, to: &buffer)
        bytes += buffer.array
    }

    /// Appends an object to a plain array.
    package static func append(_ fields: FieldMap, to bytes: inout [UInt8]) {
        append(.object(fields), to: &bytes)
    }
}

extension LineBuffer {
    /// Appends a key and a value.
    package mutating func field(_ key: StaticString, _ value: FieldValue) {
        self.key(key)
        JSONText.append(value, to: &self)
    }

    /// Appends a key and a value as it was written.
    package mutating func field(_ key: StaticString, _ value: WrittenValue) {
        self.key(key)
        value.append(to: &self)
    }
}

extension ValueTexts {
    /// Appends the value at an index as ``JSONText`` writes it.
    func append(at index: Int, to buffer: inout LineBuffer) {
        let isAppended = withText(at: index) { text in
            guard text.isPlainValue else { return false }
            buffer.append(text)
            return true
        }
        if !isAppended { JSONText.append(value(at: index), to: &buffer) }
    }
}

extension WrittenValue {
    /// Appends the value as ``JSONText`` writes it.
    package func append(to buffer: inout LineBuffer) {
        switch content {
        case .value(let value): JSONText.append(value, to: &buffer)
        case .text(let texts, let index): texts.append(at: index, to: &buffer)
        }
    }
}

extension FieldValue {
    /// The value in a form fit for a message.
    package var described: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): number.text.shortened
        case .string(let text): "the text \(text.quoted)"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
