"""A client of a server with ETags: what it does with an answer 409, and the line that it writes then.

A version is {"fields": all fields, or None where the card was deleted, "ts": when it was edited, "device": where}.
A delete is a PUT too: what the server keeps of it is what a later edit meets.
"""

import datetime
import http.client
import json


class Client:
    def __init__(self, device, address, log):
        self.device, self.log = device, log
        self.connection = http.client.HTTPConnection(address)
        self.fetched = {}  # of each card the ETag and the fields of the server's version that is in this device's

    def fetch(self, card):
        status, etag, version = self.request("GET", card)
        if status == 200:
            self.fetched[card] = (etag, version["fields"])
        return version

    def push(self, card, mine):
        """Sends this device's version, merged with what others have sent since; returns the version that both sides have then."""
        while True:
            etag, ancestor = self.fetched.get(card, (None, None))
            status, new, theirs = self.request("PUT", card, mine, {"If-Match": etag} if etag else {"If-None-Match": "*"})
            if status != 409:
                self.fetched[card] = (new, mine["fields"])
                return mine
            mine = self.merge(card, ancestor, mine, theirs)
            self.fetched[card] = (new, theirs["fields"])
            if mine["fields"] == theirs["fields"]:
                return theirs

    def merge(self, card, ancestor, mine, theirs):
        # None where the card was not there, or was deleted, when this device made its own.
        result = merged(ancestor or {}, mine, theirs)
        now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"event": "merge", "ts": now, "device": self.device, "recordType": "cards", "recordID": card,
                "ancestor": {"fields": ancestor}, "client": mine, "server": theirs, "result": result}
        with open(self.log, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return result

    def request(self, method, card, version=None, headers={}):
        self.connection.request(method, "/cards/" + card, version and json.dumps(version), headers)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status not in (200, 404, 409):
            raise ConnectionError(f"{method} of card {card}: {answer.status} {answer.reason}")
        return answer.status, answer.headers["ETag"], json.loads(body) if body else None


def merged(ancestor, mine, theirs):
    """Each field as the side has it that changed it; of a field that both changed, the later edit. A delete wins."""
    for version in (theirs, mine):
        if version["fields"] is None:
            return version
    later = max(mine, theirs, key=lambda version: (version["ts"], version["device"]))
    fields = {}
    for name in sorted({*ancestor, *mine["fields"], *theirs["fields"]}):
        changed = [version for version in (mine, theirs) if version["fields"].get(name) != ancestor.get(name)]
        value = (later if len(changed) == 2 else (changed or [mine])[0])["fields"].get(name)
        if value is not None:
            fields[name] = value
    return {**later, "fields": fields}
