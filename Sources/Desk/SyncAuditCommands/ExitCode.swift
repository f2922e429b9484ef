/// How the command ends.
///
/// The numbers from 64 on are those of BSD's `sysexits.h`.
package enum ExitCode: Int32, Hashable, Sendable {
    /// Done.
    case success = 0
    /// A check failed or a limit was exceeded.
    case limitExceeded = 1
    /// The command line cannot be understood.
    case usage = 2
    /// The input holds something that cannot be understood.
    case badData = 65
    /// The input is not there or may not be read.
    case noInput = 66
    /// Reading or writing failed underway.
    case inputOutput = 74
}
