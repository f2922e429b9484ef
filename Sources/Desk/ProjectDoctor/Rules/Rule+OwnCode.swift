extension Rule {
    /// What an app's own CloudKit code does with conflicts, accounts and databases.
    static let ownCode: [Rule] = [
        Rule(
            "reporting.dropped-conflict", .warning, "A conflict is merged, and not passed over",
            consequence:
                "The server refused the record since another device was first: the edit that was to be saved is lost without a trace, unless "
                + "it is merged into the server's record and saved again",
            source: ApplePage.conflicts
        ) { evidence in
            // Where the file merges somewhere, this may be another way that the error comes.
            let merging = Set(evidence.uses(.serverRecord).map(\.location.path))
            return evidence.uses(.droppedConflict).filter { !$0.use.context.isDebugOnly }.map { _, location in
                Finding(
                    location, "serverRecordChanged is taken up, and neither serverRecord nor clientRecord is looked at",
                    fix: "merge the edit into serverRecord (CKRecordChangedErrorServerRecordKey), and save that record",
                    atMost: merging.contains(location.path) ? .advice : .warning)
            }
        },
        Rule(
            "reporting.account", .advice, "Own CloudKit code looks at the account",
            consequence:
                "Without an account every request fails, and after a change of account the cache is another person's: nothing tells the user",
            source: ApplePage.accounts
        ) { evidence in
            // The engine of a library looks at it by itself.
            let engines = evidence.uses(.syncEngine).filter { $0.use.detail == nil }
            let writes = evidence.uses(.recordType) + engines + evidence.uses(.savePolicy)
            let isPrivate = !evidence.uses(.privateDatabase).isEmpty || !engines.isEmpty
            guard let first = writes.min(by: { $0.location < $1.location }), isPrivate, evidence.uses(.accountCheck).isEmpty else {
                return []
            }
            return [
                Finding(
                    first.location,
                    "records are saved to the user's database, and nothing asks for accountStatus or observes CKAccountChanged",
                    fix:
                        "ask CKContainer.accountStatus() when the app starts, observe CKAccountChanged (accountChange of CKSyncEngine), and "
                        + "say where there is no account")
            ]
        },
        Rule(
            "reporting.subscription", .advice, "Own CloudKit code is told of changes",
            consequence:
                "Without a subscription or CKSyncEngine no push comes: what another device saves is seen when the app asks, and not before",
            source: ApplePage.subscriptions
        ) { evidence in
            let writes = evidence.uses(.recordType) + evidence.uses(.savePolicy)
            // Where a store is mirrored, what else is saved may be no part of sync.
            guard let first = writes.min(by: { $0.location < $1.location }), !evidence.uses(.privateDatabase).isEmpty,
                evidence.uses(.subscription).isEmpty, evidence.uses(.syncEngine).isEmpty,
                !evidence.scope.stores.contains(where: { $0.syncs != false })
            else { return [] }
            return [
                Finding(
                    first.location, "records are saved to the user's database, and nothing subscribes to what other devices save there",
                    fix:
                        "save a CKDatabaseSubscription whose notificationInfo has shouldSendContentAvailable, and fetch the zone's changes "
                        + "when its push comes; or use CKSyncEngine")
            ]
        },
        Rule(
            "reporting.polling", .advice, "No timer asks for sync",
            consequence:
                "CloudKit tells by pushes and events: a timer costs battery and requests, is refused as too many, and shows changes later "
                + "than a push does",
            source: ApplePage.subscriptions
        ) { evidence in
            guard evidence.syncs else { return [] }
            return evidence.uses(.polling).filter { !$0.use.context.isDebugOnly }.map { use, location in
                Finding(
                    location, "a timer calls \(use.detail ?? "") again and again",
                    fix:
                        "subscribe to changes (CKDatabaseSubscription, or the mirroring's events), and refresh once when the app comes to "
                        + "the front")
            }
        },
        Rule(
            "deployment.public-share", .warning, "Nothing of the public database is shared by CKShare",
            consequence: "A share lives in a custom zone of a private database, and the public one has no such zones: the save is refused",
            source: ApplePage.shares
        ) { evidence in
            evidence.locationsOfPublic(.share).map {
                Finding(
                    $0, "a CKShare is made where publicCloudDatabase is the only database",
                    fix: "keep what is shared in a zone of privateCloudDatabase, and share that")
            }
        },
        Rule(
            "size.public-assets", .advice, "The public database is not filled with files",
            consequence:
                "What is in it counts against the app's own quota and not the users': with many files it is used up, and then every save fails",
            source: ApplePage.sizes
        ) { evidence in
            evidence.locationsOfPublic(.asset).map {
                Finding(
                    $0, "assets go to publicCloudDatabase",
                    fix:
                        "keep users' files in privateCloudDatabase, where they count as theirs; limit their size and number in the public one"
                )
            }
        },
    ]
}

extension Evidence {
    /// The first use of a kind in each file whose code names the public database and no other.
    fileprivate func locationsOfPublic(_ kind: SwiftFacts.Use.Kind) -> [SourceLocation] {
        var files = Set(uses(.publicDatabase).map(\.location.path))
        let others = CodeOwners(uses(.privateDatabase))
        return uses(kind).filter { !others.contains($0) && files.remove($0.location.path) != nil }.map(\.location)
    }
}

/// The files and types that use something: what one file of a type declares, its extension in another may use.
struct CodeOwners {
    private let paths: Set<String>
    private let types: Set<String>

    init(_ uses: [(use: SwiftFacts.Use, location: SourceLocation)]) {
        paths = Set(uses.map(\.location.path))
        types = Set(uses.compactMap(\.use.context.types.first))
    }

    func contains(_ use: (use: SwiftFacts.Use, location: SourceLocation)) -> Bool {
        paths.contains(use.location.path) || use.use.context.types.first.map(types.contains) == true
    }
}
