// A conflict handler for RxDB, 16 or newer, that writes a line whenever it is called. The documents carry when and where they were edited,
// as updatedAt and updatedBy; their other fields but the primary key are the fields of the record.
//
//     await database.addCollections({cards: {schema, conflictHandler: conflictHandler("phone", "cards", "id", append)}})
//
// append takes a line: a browser sends it to a server, or keeps it until there is one.

import { isDeepStrictEqual as deepEqual } from "node:util";  // in a browser: import { deepEqual } from "rxdb/plugins/utils"

export function conflictHandler(device, recordType, primaryKey, append) {
    return {
        isEqual: deepEqual,

        // What the master had when this device last heard of it, what it has now, and what this device wants to write.
        async resolve({ assumedMasterState, realMasterState, newDocumentState }) {
            // Null where the document was not there, or was deleted, when this device made its own.
            const ancestor = fieldsOf(assumedMasterState, primaryKey);
            const result = merged(ancestor ?? {}, newDocumentState, realMasterState, primaryKey);
            append(JSON.stringify({
                event: "merge", ts: new Date().toISOString(), device, recordType, recordID: String(realMasterState[primaryKey]),
                ancestor: { fields: ancestor }, client: version(newDocumentState, primaryKey), server: version(realMasterState, primaryKey),
                result: version(result, primaryKey),
            }) + "\n");
            return result;
        },
    };
}

// Each field as the side has it that changed it; of a field that both changed, the later edit. A delete wins.
function merged(ancestor, mine, theirs, primaryKey) {
    if (theirs._deleted || mine._deleted) return theirs._deleted ? theirs : mine;
    const [newer, older] = isLater(mine, theirs) ? [mine, theirs] : [theirs, mine];
    const result = { ...newer };
    for (const name of Object.keys({ ...ancestor, ...fieldsOf(older, primaryKey) })) {
        const isChanged = !deepEqual(newer[name], ancestor[name]);
        if (isChanged) continue;
        delete result[name];
        if (name in older) result[name] = older[name];
    }
    return result;
}

function isLater(one, other) {
    if (one.updatedAt !== other.updatedAt) return one.updatedAt > other.updatedAt;
    return one.updatedBy > other.updatedBy;
}

// The fields of a document; null where there is none, or it was deleted.
function fieldsOf(document, primaryKey) {
    if (!document || document._deleted) return null;
    const others = [primaryKey, "updatedAt", "updatedBy"];
    return Object.fromEntries(Object.entries(document).filter(([name]) => !others.includes(name) && !name.startsWith("_")));
}

function version(document, primaryKey) {
    return { fields: fieldsOf(document, primaryKey), ts: document.updatedAt, device: document.updatedBy };
}
