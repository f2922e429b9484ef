import SyncAudit
import SyncHTTP
import SyncURLSession

// One of two phones that share cards over a server. TwoPhones NAME PHONE-NUMBER [SERVER]
let arguments = CommandLine.arguments
guard arguments.count >= 3 else { fatalError("TwoPhones NAME PHONE-NUMBER [SERVER]") }
let (name, number) = (arguments[1], arguments[2])
let server = arguments.count > 3 ? arguments[3] : "http://127.0.0.1:8080"

var configuration = ReplicaConfiguration()
configuration.mergeRules = MergeRules(fields: ["Card": ["visits": .counter]])
let replica = try Replica(device: DeviceID(name), store: SQLiteStore(path: "\(name).sqlite"), configuration: configuration)
let hub = HTTPHub(space: "default", transport: try URLSessionTransport(server: server))
let engine = SyncEngine(replica: replica, hub: hub)

let card = RecordKey(type: "Card", id: "42")
try replica.put(["phone": .string(number)], to: card)  // offline, if need be
try replica.increment("visits", of: card)
try await engine.sync(attempts: 3)
let shown = try replica.get(card)
print(name, "shows", shown?["phone"]?.string ?? "no number", "after", shown?["visits"]?.integer ?? 0, "visits")
for conflict in try replica.lostEdits {
    print("lost:", conflict.loser.dot.device, conflict.field ?? "record", conflict.loser.value?.string ?? "")
}
