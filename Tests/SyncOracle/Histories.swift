import Foundation

/// How many of something a test goes through: a few where a change is tried, all of them in `HistoryTests`.
///
/// A file that asks for this is linked into the folder of `HistoryTests`, which are compiled with optimization and run by
/// `.ci/test histories`.
package func histories(_ few: Int, of all: Int) -> Int { runsLong ? all : few }

private let runsLong = ProcessInfo.processInfo.environment["SYNCAUDIT_TESTS"]?.split(separator: ",").contains("histories") ?? false
