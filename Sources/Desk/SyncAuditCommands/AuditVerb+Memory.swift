import AuditAnalysis
import ConflictAudit
import SyncBytes
import SyncSystem

extension ParsedArguments {
    /// How many records an audit holds in memory.
    ///
    /// - Parameter rules: Those that look across records need all of them.
    func retention(_ rules: AuditRules, _ context: CommandContext) throws -> Retention {
        let (limit, isGrouped) = (try size("memory"), isSet("grouped"))
        if isGrouped, limit != nil {
            throw UsageError("--memory: with --grouped one record is in memory at a time; leave one of the two out", verb: verb.name)
        }
        if rules.hasConstraints {
            for option in ["memory", "grouped"] where isSet(option) {
                throw UsageError(
                    "--\(option): --unique and --reference look across records, so that all of them are kept in memory; leave it out, or them",
                    verb: verb.name)
            }
            return .everything
        }
        context.expectManyFiles()
        let folder = ScratchFile.folder(context)
        // Each of four threads has files of its own, once more for what is divided again, and others are open besides.
        let mostFiles = max(0, mostOpenFiles() - 24) / 8
        let space = SpillSpace(
            limit: limit ?? bytesOfMemory() / 4, writesPerLook: context.writesPerLook, mostFiles: mostFiles,
            makeFile: { try ScratchFile.make(for: "some records do not fit into memory", in: folder) },
            failure: { error in
                CommandError(
                    .inputOutput,
                    "the records that do not fit into memory cannot be kept in \(folder.quoted): \(error.sentence); make room there, name another "
                        + "directory in TMPDIR, or let --memory be more")
            })
        return isGrouped ? .oneRecord(space) : .some(space)
    }
}
