#if canImport(CoreData)
    /// The choice of the stores of a container that are audited.
    package enum StoreChoice {
        /// A store of a container.
        package struct Candidate<Store> {
            let store: Store
            let isInMemory: Bool
            let isSynced: Bool

            /// Describes a store.
            ///
            /// - Parameters:
            ///   - store: What is returned where it is chosen.
            ///   - isInMemory: Whether it has no file.
            ///   - isSynced: Whether it says that CloudKit syncs it.
            package init(_ store: Store, isInMemory: Bool, isSynced: Bool) {
                self.store = store
                self.isInMemory = isInMemory
                self.isSynced = isSynced
            }
        }

        /// Why no store can be chosen, as a sentence without its full stop.
        package struct Refusal: Error {
            package let sentence: String
        }

        /// The stores in files that CloudKit syncs; where none says so, all that are in files.
        package static func audited<Store>(of candidates: [Candidate<Store>]) throws(Refusal) -> [Store] {
            if candidates.isEmpty {
                throw Refusal(sentence: "the container has no store: start the audit once its stores are loaded")
            }
            let files = candidates.filter { !$0.isInMemory }
            guard !files.isEmpty else {
                throw Refusal(sentence: "the container keeps its store in memory: an audit needs one in a file")
            }
            let synced = files.filter(\.isSynced)
            return (synced.isEmpty ? files : synced).map(\.store)
        }
    }
#endif
