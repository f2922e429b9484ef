import SyncAudit
import SyncHTTP
import SyncURLSession

struct Card: SyncRecord {
    let id: String
    var phone: String
    var visits = 0
    static let rules = RecordRules(fields: ["visits": .counter])
}

// One of two phones that share a card over a server. TwoPhones NAME PHONE-NUMBER|restore [SERVER]
let arguments = CommandLine.arguments
guard arguments.count >= 3 else { fatalError("TwoPhones NAME PHONE-NUMBER|restore [SERVER]") }
let (name, number) = (arguments[1], arguments[2])
let server = arguments.count > 3 ? arguments[3] : "http://127.0.0.1:8080"

var configuration = ReplicaConfiguration()
configuration.declare(Card.self)
let replica = try Replica(device: DeviceID(name), store: SQLiteStore(path: "\(name).sqlite"), configuration: configuration)
let hub = HTTPHub(space: "default", transport: try URLSessionTransport(server: server))
let engine = SyncEngine(replica: replica, hub: hub)

if number == "restore" {
    try await engine.sync(attempts: 3)
    for conflict in try replica.lostEdits where conflict.loser.dot.device == replica.device { try replica.restore(conflict) }
} else if var card = try replica.fetch(Card.self, id: "42") {  // offline, if need be
    card.phone = number
    card.visits += 1
    try replica.save(&card)
} else {
    try replica.save(Card(id: "42", phone: number, visits: 1))
}
try await engine.sync(attempts: 3)
if let card = try replica.fetch(Card.self, id: "42") { print(name, "shows", card.phone, "after", card.visits, "visits") }
for conflict in try replica.lostEdits {
    print("lost:", conflict.loser.dot.device, conflict.field ?? "record", conflict.loser.value ?? "nothing")
}
