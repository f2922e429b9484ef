"""A server with ETags, and the two devices of merges.json: python3 etags-session.py LOG

Then both edit one card at once, each another field: however they race, nothing may be lost.
"""

import http.server
import json
import os
import sys
import threading

from etags import Client


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    cards = {}  # of each card how often it was written, and its version
    lock = threading.Lock()

    def do_GET(self):
        with self.lock:
            number, version = self.cards.get(self.path, (0, None))
        self.answer(200 if version else 404, number, version)

    def do_PUT(self):
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.lock:
            number, version = self.cards.get(self.path, (0, None))
            fits = self.headers["If-Match"] == f'"{number}"' if number else self.headers["If-None-Match"] == "*"
            if fits:
                number, version = number + 1, sent
                self.cards[self.path] = (number, version)
        self.answer(200 if fits else 409, number, version)

    def answer(self, status, number, version):
        body = json.dumps(version).encode()
        self.send_response(status)
        self.send_header("ETag", f'"{number}"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def race(clients):
    """Each device sets a field of its own to 1, 2, … 50, while the other does too."""
    fields = {"phone": "a", "tablet": "b"}
    mine = {name: clients[name].push("race", {"fields": {}, "ts": "2025-03-02T12:00:00.000Z", "device": name}) for name in fields}

    def edit(name):
        for number in range(1, 51):
            version = {"fields": {**mine[name]["fields"], fields[name]: number}, "ts": "2025-03-02T12:00:01.000Z", "device": name}
            mine[name] = clients[name].push("race", version)

    threads = [threading.Thread(target=edit, args=(name,)) for name in fields]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert clients["phone"].fetch("race")["fields"] == {"a": 50, "b": 50}, "an edit was lost in the race"


def main():
    with open(os.path.join(os.path.dirname(__file__), "merges.json"), encoding="utf-8") as file:
        session = json.load(file)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    clients = {name: Client(name, f"127.0.0.1:{server.server_port}", sys.argv[1]) for name in ("phone", "tablet")}
    for card in session["created"]:
        clients["phone"].push(card["id"], {"fields": card["fields"], "ts": "2025-03-02T08:00:00.000Z", "device": "phone"})
        clients["tablet"].fetch(card["id"])
    # Both are offline now, and the phone is back first.
    for name, client in clients.items():
        for edit in session[name]:
            client.push(edit["id"], {"fields": edit["fields"], "ts": edit["ts"], "device": name})
    for client in clients.values():
        shown = {card: client.fetch(card)["fields"] for card in session["merged"]}
        assert shown == session["merged"], f"{client.device} shows {shown}"
    race(clients)
    server.shutdown()


main()
