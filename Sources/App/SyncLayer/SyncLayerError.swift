/// An error of the sync layer: a code to act on and a sentence to read.
///
/// ```swift
/// do {
///     try replica.put(["name": "Ann"], to: key)
/// } catch let error as SyncLayerError where error.code == .diskFull {
///     print(error)
/// }
/// ```
public struct SyncLayerError: Error, Sendable, CustomStringConvertible {
    /// The kind of a problem.
    ///
    /// More may be added: a `switch` over codes needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let description: String

        private init(_ name: String) { description = name }

        /// A code by its name; nil where this version has none of that name.
        public init?(name: String) {
            guard Self.all.contains(where: { $0.description == name }) else { return nil }
            description = name
        }

        /// The database is not one, or its content contradicts itself.
        public static let damaged = Code("damaged")
        /// A later version of this package wrote the database.
        public static let newerSchema = Code("newerSchema")
        /// The database, or the directory that it is in, cannot be written to.
        public static let readOnly = Code("readOnly")
        /// The database cannot be opened: there is no such directory, or it is not allowed.
        public static let cannotOpen = Code("cannotOpen")
        /// There is no room left for the write.
        public static let diskFull = Code("diskFull")
        /// Another process has held the database for longer than this one was told to wait.
        public static let busy = Code("busy")
        /// The database failed in another way.
        public static let storage = Code("storage")
        /// The store belongs to another device.
        public static let wrongDevice = Code("wrongDevice")
        /// The value cannot be written to the field.
        public static let invalidValue = Code("invalidValue")
        /// The field's policy does not allow the operation.
        public static let wrongPolicy = Code("wrongPolicy")
        /// The store, or the data set at the hub, was merged by other rules than those given.
        public static let rulesDiffer = Code("rulesDiffer")
        /// No conflict of that name waits for a decision, or no write of that name is set aside.
        public static let notFound = Code("notFound")
        /// A ``WriteBatch`` was used after its closure had ended.
        public static let batchEnded = Code("batchEnded")
        /// A replica was written to from within the closure of its own write.
        public static let insideWrite = Code("insideWrite")
        /// The store's file was deleted or moved while it was open.
        public static let fileGone = Code("fileGone")
        /// The value to be restored has been written over since.
        public static let superseded = Code("superseded")
        /// The batch is more than the hub takes at once; smaller ones may pass.
        public static let batchTooLarge = Code("batchTooLarge")
        /// The hub cannot be reached now.
        ///
        /// Trying again later may help.
        public static let hubUnavailable = Code("hubUnavailable")
        /// The hub's answer contradicts itself or is beyond every limit: the hub's implementation is at fault.
        ///
        /// Nothing of that answer has taken effect.
        public static let hubAtFault = Code("hubAtFault")
        /// The hub was told to forget this device and takes nothing from it any more.
        public static let deviceForgotten = Code("deviceForgotten")
        /// The hub is another one than before, or was put back to an earlier state: its order is not the one that the device knows.
        ///
        /// The engine heals it by itself.
        public static let hubReplaced = Code("hubReplaced")
        /// The hub's server does not let this device, or whoever has its token, do that.
        ///
        /// Trying again does not help; signing in again may.
        public static let notAllowed = Code("notAllowed")

        private static let all: [Code] = [
            .damaged, .newerSchema, .readOnly, .cannotOpen, .diskFull, .busy, .storage, .wrongDevice, .invalidValue, .wrongPolicy,
            .rulesDiffer, .notFound, .batchEnded, .insideWrite, .fileGone, .superseded, .batchTooLarge, .hubUnavailable, .hubAtFault,
            .deviceForgotten, .hubReplaced, .notAllowed,
        ]
    }

    /// The kind of a problem.
    public let code: Code

    /// A sentence that names the value and the remedy, without its full stop.
    public let description: String

    /// The cause, where it was an error too.
    public let underlying: (any Error)?

    /// Describes a problem.
    ///
    /// - Parameters:
    ///   - code: What kind of problem it is.
    ///   - description: A sentence that names the value and the remedy, without its full stop.
    ///   - underlying: What caused it, where that was an error too.
    public init(_ code: Code, _ description: String, underlying: (any Error)? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }
}
