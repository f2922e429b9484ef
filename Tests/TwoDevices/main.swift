import SyncAudit

struct Card: SyncRecord {
    let id: String
    var phone: String
    var visits = 1
    static let rules = RecordRules(fields: ["visits": .counter])
}

let log = try AuditLogWriter(directory: "cards-log", source: "iPhone")  // without values, unless asked
var configuration = ReplicaConfiguration()
configuration.declare(Card.self)
let iPad = try Replica(device: "iPad", store: InMemoryStore(), configuration: configuration)
configuration.sink = log
let iPhone = try Replica(device: "iPhone", store: InMemoryStore(), configuration: configuration)
let hub = InMemoryHub()  // in an app: HTTPHub, or your server behind the protocol Hub

try iPad.save(Card(id: "42", phone: "1234"))  // both offline
try iPhone.save(Card(id: "42", phone: "9876"))
for replica in [iPad, iPhone, iPad] { try await SyncEngine(replica: replica, hub: hub).sync() }

if let card = try iPad.fetch(Card.self, id: "42") { print("phone", card.phone, "visits", card.visits) }
print(iPhone.conflictSummary)
log.flush()
