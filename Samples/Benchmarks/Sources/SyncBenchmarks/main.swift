import Foundation
func io() -> [Int] { (try! String(contentsOfFile: "/proc/self/io", encoding: .utf8)).split(separator: "\n").prefix(4).map { Int($0.split(separator: " ")[1])! } }
if CommandLine.arguments.contains("bareprofile") { try WriteRatio(writes: 1, rounds: 1).bareProfile(20000) } else
if CommandLine.arguments.contains("profile") { try WriteRatio(writes: 1, rounds: 1).profile(20000, updates: CommandLine.arguments.contains("updates")) } else
if CommandLine.arguments.count > 1 {
    let size = Int(CommandLine.arguments[1])!
    for _ in 0..<10 { let a = io(); 
    print(CommandLine.arguments.count > 2 ? try WriteRatio(writes: 20_000, rounds: 3).measureBare(20000, size).map { $0 / 20000 * 1e6 } : try WriteRatio(writes: 20_000, rounds: 3).measureReplica(20000, size).map { $0 / 20000 * 1e6 })
    print(zip(io(), a).map { ($0 - $1) / 40000 })
 }
} else {
try WriteRatio(writes: 20_000, rounds: 3).run()
}
