#if canImport(CoreData)
    /// The choice of the store that an audit looks after: one audit has one store, whose transactions have numbers of their own.
    package enum StoreChoice {
        /// A store of a container.
        package struct Candidate<Store> {
            let store: Store
            let name: String
            let isInMemory: Bool
            let isSynced: Bool

            /// Describes a store.
            ///
            /// - Parameters:
            ///   - store: What is returned where it is chosen.
            ///   - name: Names it in a sentence.
            ///   - isInMemory: Whether it has no file.
            ///   - isSynced: Whether it says that CloudKit syncs it.
            package init(_ store: Store, name: String, isInMemory: Bool, isSynced: Bool) {
                self.store = store
                self.name = name
                self.isInMemory = isInMemory
                self.isSynced = isSynced
            }
        }

        /// Why no store can be chosen, as a sentence without its full stop.
        package struct Refusal: Error {
            package let sentence: String
        }

        /// The only store that CloudKit syncs, or the only one there is.
        ///
        /// - Parameter parameter: What names another.
        package static func only<Store>(of candidates: [Candidate<Store>], parameter: String) throws(Refusal) -> Store {
            if candidates.isEmpty {
                throw Refusal(sentence: "the container has no store: start the audit once its stores are loaded")
            }
            let files = candidates.filter { !$0.isInMemory }
            let synced = files.filter(\.isSynced)
            if let only = synced.count == 1 ? synced.first : files.count == 1 ? files.first : nil { return only.store }
            guard !files.isEmpty else {
                throw Refusal(sentence: "the container keeps its store in memory: an audit needs one in a file")
            }
            let names = (synced.isEmpty ? files : synced).map { "'\($0.name)'" }.sorted().joined(separator: ", ")
            throw Refusal(
                sentence:
                    "the container has \(synced.isEmpty ? "no store that is known to sync, but" : "several stores that sync:") \(names)"
                    + "; name one by '\(parameter):', and give each other one an audit with a directory and a device name of its own")
        }
    }
#endif
