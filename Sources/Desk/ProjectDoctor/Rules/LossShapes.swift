/// The numbers of an app's synced entities, by name, to find those that code counts up or down.
struct CountedNumbers {
    private var byName: [String: [(entity: Entity, attribute: Entity.Attribute)]] = [:]
    private let parents: [String: String]

    init(_ evidence: Evidence) {
        parents = evidence.entities.compactMapValues(\.parent)
        for entity in evidence.judged {
            for attribute in entity.attributes where [.integer, .double, .decimal].contains(attribute.type) {
                byName[attribute.name, default: []].append((entity, attribute))
            }
        }
    }

    /// The attribute that an increment is of: that of its object's class where that is known, else the only one of its name.
    func counted(by increment: SwiftFacts.Increment) -> (entity: Entity, attribute: Entity.Attribute)? {
        let all = byName[increment.property, default: []]
        guard !all.isEmpty else { return nil }
        if let type = increment.type ?? (increment.isOwn ? increment.context.types.last : nil) {
            // Of a class that inherits the attribute it is its parent's.
            var name: String? = type
            for _ in 0..<8 {
                guard let current = name else { return nil }
                if let found = all.first(where: { $0.entity.name == current }) { return found }
                name = parents[current]
            }
            return nil
        }
        if all.count == 1 { return all.first }
        return increment.object.flatMap { object in all.first { object.lowercased().hasSuffix($0.entity.name.lowercased()) } }
    }
}

/// Which strings the app's screens edit as several lines.
struct Editors {
    private let long: Set<String>
    private let short: Set<String>
    private static let longNames: Set = ["notes", "body", "markdown", "journal", "transcript"]

    init(_ sources: [SwiftSource]) {
        let long = sources.reduce(into: Set<String>()) { $0.formUnion($1.facts.longEdits) }
        self.long = long
        short = sources.reduce(into: Set<String>()) { $0.formUnion($1.facts.shortEdits) }.subtracting(long)
    }

    /// Whether a string of a name is known to be long: by its editor, or by a name that nothing edits as one line.
    func isLong(_ name: String) -> Bool {
        if long.contains(name) { return !["name", "title"].contains { name.lowercased().hasSuffix($0) } }
        if short.contains(name) { return false }
        let name = name.lowercased()
        return Self.longNames.contains(where: name.hasSuffix)
    }
}

extension Entity.Attribute {
    /// What a list in one attribute holds; nil where it is none, or its numbers are one value.
    var listElement: String? {
        guard case .array(let element) = content ?? type else { return nil }
        let isNumber = ["Double", "Float", "CGFloat", "Float16", "Float32", "Int16", "Int32", "UInt16", "UInt32"].contains(element)
        guard isNumber else { return element }
        let name = name.lowercased()
        return Self.namesOfValues.contains { name.contains($0) } ? nil : element
    }

    /// Parts of names of values that consist of several numbers: nobody adds one to them.
    private static let namesOfValues = [
        "axis", "bound", "box", "color", "colour", "coordinate", "curve", "embedding", "feature", "fingerprint", "frame", "gradient",
        "histogram", "location", "matrix",
        "normal", "offset", "origin", "position", "quaternion", "region", "rect", "rgb", "rotation", "scale", "sample", "signal",
        "spectrum", "transform", "translation",
        "vector", "vertex", "vertices", "waveform", "weights",
    ]
}

extension Evidence {
    var numbers: CountedNumbers { CountedNumbers(self) }

    /// How many edits an attribute has lost where a log shows that, as the end of a sentence; empty where none does.
    func losses(of attribute: Entity.Attribute, in entity: Entity) -> String {
        for measurement in measurements {
            guard let loss = measurement.loss(attribute.name, of: entity.name), loss.edits > 0 else { continue }
            return ": \(loss.edits == 1 ? "1 edit of it was" : "\(loss.edits) edits of it were") lost in \(measurement.source)"
        }
        return ""
    }

    /// The fields of which the sources alone tell that they will lose edits, each as type and name in lower case.
    var toldFields: Set<[String]> {
        let numbers = numbers
        let increments = productSources.flatMap(\.facts.increments).filter { !$0.context.isPreview && !$0.context.isDebugOnly }
        let counted = Set(increments.compactMap { numbers.counted(by: $0) }.map { [$0.entity.name, $0.attribute.name] })
        let editors = Editors(productSources)
        return judged.reduce(into: []) { told, entity in
            for attribute in entity.attributes {
                let isTold =
                    switch attribute.content ?? attribute.type {
                    case .dictionary, .structure: true
                    case .array: attribute.listElement != nil
                    case .string: editors.isLong(attribute.name)
                    case .integer, .double, .decimal: counted.contains([entity.name, attribute.name])
                    default: false
                    }
                if isTold { told.insert([entity.name, attribute.name].map { $0.lowercased() }) }
            }
        }
    }
}
