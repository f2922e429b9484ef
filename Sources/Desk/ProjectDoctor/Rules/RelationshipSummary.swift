/// A relationship of a model that syncs, and how CloudKit keeps it.
package struct RelationshipSummary: Sendable {
    /// Entity and relationship, such as `Note.tags`.
    package let name: String
    package let destination: String
    /// How many lead to how many, and which records hold it.
    package let kept: String
    package let location: SourceLocation

    /// The relationships of the entities that are judged, in order, each once.
    ///
    /// - Complexity: O(*n*) in the relationships and those of the entities that they lead to.
    static func all(_ parts: [Evidence]) -> [RelationshipSummary] {
        var known: Set<SourceLocation> = []
        return parts.flatMap { evidence -> [RelationshipSummary] in
            let pairs = Set(evidence.manyToMany.map(\.location))
            return evidence.judged.flatMap { entity in
                entity.relationships.compactMap { relationship in
                    guard !relationship.destination.isEmpty, known.insert(relationship.location).inserted else { return nil }
                    let kept =
                        pairs.contains(relationship.location)
                        ? "many to many: each pair is a record of its own (CDMR), so that both of two additions stay"
                        : relationship.isToMany
                            ? "to many: each \(relationship.destination) names its \(entity.name), so that both of two additions stay"
                            : "to one: a key of \(entity.name), of which the last export wins"
                    return RelationshipSummary(
                        name: "\(entity.name).\(relationship.name)", destination: relationship.destination, kept: kept,
                        location: relationship.location)
                }
            }
        }
    }
}
