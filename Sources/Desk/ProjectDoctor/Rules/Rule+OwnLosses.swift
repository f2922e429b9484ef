extension Rule {
    /// Keys of an app's own records whose concurrent edits overwrite each other.
    static let ownLosses: [Rule] = [
        Rule(
            "losses.own-list", .advice, "What several devices add to is no list in one key",
            consequence:
                "The whole list is one value of the record: of two that were added to on two devices one is lost, or the save refused",
            source: ApplePage.record
        ) { evidence in
            evidence.keys(of: .list) { key in
                (
                    "the key \(key) of a record is a list",
                    "make each element a record with a reference to this one, or merge both lists where serverRecordChanged is thrown"
                )
            }
        },
        Rule(
            "losses.own-structure", .advice, "A structure in one key belongs together",
            consequence:
                "All its parts are one value, and of two edits to different parts one is lost. That is right for what must agree, and wrong "
                + "for what is edited apart",
            source: ApplePage.record
        ) { evidence in
            evidence.keys(of: .encoded) { key in
                (
                    "the key \(key) of a record holds an encoded value",
                    "leave it if its parts only make sense together; else give each part a key of its own"
                )
            }
        },
        Rule(
            "losses.own-counter", .advice, "Nothing counts in a key",
            consequence: "Two devices that add one to 5 both write 6: one of the two is lost",
            source: ApplePage.record
        ) { evidence in
            evidence.keys(of: .counter) { key in
                (
                    "the key \(key) of a record is counted up or down where it is",
                    "keep each event as a record of its own and count them, or add again to the value of serverRecord"
                )
            }
        },
    ]
}

extension Evidence {
    /// One finding for each key of own records whose value has a shape.
    fileprivate func keys(
        of shape: SwiftFacts.RecordField.Shape, _ words: (String) -> (message: String, fix: String)
    ) -> [Finding] {
        var known: Set<String> = []
        return ownFields.compactMap { _, field, key, location in
            guard field.shape == shape, !key.hasPrefix("CD_"), known.insert(key).inserted else { return nil }
            let (message, fix) = words(key)
            return Finding(location, message, fix: fix)
        }
    }
}
