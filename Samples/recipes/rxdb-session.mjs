// A master, and the two devices of merges.json, which replicate as RxDB does: node rxdb-session.mjs LOG
// RxDB itself is not needed: the loop does what its push and pull do with a conflict handler.

import assert from "node:assert";
import { appendFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { isDeepStrictEqual as deepEqual } from "node:util";
import { conflictHandler } from "./rxdb.mjs";

// MARK: The master: /push takes rows and answers with what it has instead of each that it did not take, /pull answers with all.

const master = new Map();

function push({ assumedMasterState, newDocumentState }) {
    const real = master.get(newDocumentState.id);
    if (!deepEqual(real, assumedMasterState)) return [real];
    master.set(newDocumentState.id, newDocumentState);
    return [];
}

const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const answer = request.url === "/push" ? JSON.parse(body).flatMap(push) : [...master.values()];
    response.end(JSON.stringify(answer));
});
await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));

async function call(path, rows) {
    const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { method: "POST", body: JSON.stringify(rows ?? []) });
    assert(response.ok);
    return response.json();
}

// MARK: A device

class Device {
    documents = new Map();
    assumed = new Map();  // what the master had when this device last heard of it

    constructor(name, log) {
        this.name = name;
        this.handler = conflictHandler(name, "cards", "id", line => appendFileSync(log, line));
    }

    edit({ id, ts, fields }) {
        const kept = fields ? { ...fields, _deleted: false } : { ...this.documents.get(id), _deleted: true };
        this.documents.set(id, { id, ...kept, updatedAt: ts, updatedBy: this.name });
    }

    isPushed(id) {
        return this.assumed.has(id) && this.handler.isEqual(this.assumed.get(id), this.documents.get(id), "upstream-check-if-equal");
    }

    // Until the master has all: what it did not take is merged with what it has, and sent again.
    async push() {
        for (;;) {
            const rows = [...this.documents].filter(([id]) => !this.isPushed(id))
                .map(([id, newDocumentState]) => ({ assumedMasterState: this.assumed.get(id), newDocumentState }));
            if (rows.length === 0) return;
            const conflicts = new Map((await call("/push", rows)).map(document => [document.id, document]));
            for (const row of rows) {
                const id = row.newDocumentState.id;
                const realMasterState = conflicts.get(id);
                this.assumed.set(id, realMasterState ?? row.newDocumentState);
                if (!realMasterState) continue;
                this.documents.set(id, await this.handler.resolve({ ...row, realMasterState }, "replication-resolve-conflict"));
            }
        }
    }

    // What waits to be pushed stays: its conflict is resolved when it is.
    async pull() {
        for (const document of await call("/pull")) {
            if (this.documents.has(document.id) && !this.isPushed(document.id)) continue;
            this.assumed.set(document.id, document);
            this.documents.set(document.id, document);
        }
    }

    shown() {
        const fieldsOf = ({ id, _deleted, updatedAt, updatedBy, ...fields }) => _deleted ? null : fields;
        return Object.fromEntries([...this.documents].map(([id, document]) => [id, fieldsOf(document)]));
    }
}

// MARK: The session

const session = JSON.parse(readFileSync(new URL("merges.json", import.meta.url), "utf8"));
const devices = ["phone", "tablet"].map(name => new Device(name, process.argv[2]));
for (const card of session.created) devices[0].edit({ ...card, ts: "2025-03-02T08:00:00.000Z" });
for (const device of devices) {
    await device.push();
    await device.pull();
}
// Both are offline now, and the phone is back first.
for (const device of devices) session[device.name].forEach(edit => device.edit(edit));
for (const device of devices) await device.push();
for (const device of devices) {
    await device.pull();
    assert.deepStrictEqual(device.shown(), session.merged);
}
server.closeAllConnections();
server.close();
