package import SyncModel

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
