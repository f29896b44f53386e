"""A server of NATS that refuses the first connections. Usage: refusing.py COUNT. Prints its port, and each call."""

import json
import socket
import sys
import threading

refusals = int(sys.argv[1])
lock = threading.Lock()


def refuses():
    global refusals
    with lock:
        refusals -= 1
        return refusals >= 0


def serve(client):
    info = {"server_id": "refusing", "version": "2.9.10", "proto": 1, "headers": True, "max_payload": 65536,
            "auth_required": True, "nonce": "AAAAAAAAAAAAAAA"}
    client.sendall(b"INFO " + json.dumps(info).encode() + b"\r\n")
    for line in client.makefile("rb"):
        if line.startswith(b"CONNECT"):
            print("connect", flush=True)
            if refuses():
                client.sendall(b"-ERR 'Authorization Violation'\r\n")
                return client.close()
        elif line.startswith(b"PING"):
            client.sendall(b"PONG\r\n")


server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
while True:
    threading.Thread(target=serve, args=(server.accept()[0],), daemon=True).start()
