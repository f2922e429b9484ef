import SyncAudit

let log = try AuditLogWriter(directory: "cards-log", source: "iPhone")  // without values, unless asked
var configuration = ReplicaConfiguration()
configuration.mergeRules = MergeRules(fields: ["Card": ["visits": .counter]])
let iPad = try Replica(device: "iPad", store: InMemoryStore(), configuration: configuration)
configuration.sink = log
let iPhone = try Replica(device: "iPhone", store: InMemoryStore(), configuration: configuration)
let hub = InMemoryHub()  // in an app: your server, behind the protocol Hub

let card = RecordKey(type: "Card", id: "42")
for (replica, phone) in [(iPad, "1234"), (iPhone, "9876")] as [(Replica, FieldValue)] {  // both offline
    try replica.put(["phone": phone], to: card)
    try replica.increment("visits", of: card)
}
for replica in [iPad, iPhone, iPad] { try await SyncEngine(replica: replica, hub: hub).sync() }

let shown = try iPad.get(card)
print("phone", shown?["phone"]?.string ?? "none", "visits", shown?["visits"]?.integer ?? 0)
print(iPhone.conflictSummary)
log.flush()
