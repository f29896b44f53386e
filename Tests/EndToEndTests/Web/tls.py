"""What a server of TLS answers to those who want something else.

Usage: tls.py PAGE. SSL_CERT_FILE names whom it trusts. Prints `version NAME` for each version of TLS that is spoken,
`alpn NAME` for what is chosen of `h2` and `http/1.1`, `chain COUNT` for the certificates that are shown, `plain` where
requests without TLS are told nothing, `stranger refused` where a client that trusts nobody does not come in, `burst`
where messages that come in one record are all answered, `slow` where a reader without haste gets what another one does,
and `served` where the page is still given after all of it. Ends with status 1 and words where anything is wrong.
"""

import json
import re
import socket
import ssl
import subprocess
import sys
import time
import urllib.parse
import urllib.request
import warnings

warnings.simplefilter("ignore", DeprecationWarning)
place = urllib.parse.urlsplit(sys.argv[1])
request = f"GET / HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode()


def connect():
    return socket.create_connection((place.hostname, place.port), timeout=60)


def trusting(plain):
    return ssl.create_default_context().wrap_socket(plain, server_hostname=place.hostname)


def frame(text):
    """A text message as a client sends it (RFC 6455, 5.2), with a mask of zeros."""
    return bytes([0x81, 0x80 | 126]) + len(text).to_bytes(2, "big") + bytes(4) + text


def burst():
    """More messages in one record than the server reads at a time; nothing comes behind them that would wake it."""
    lines = [
        "GET /game HTTP/1.1", f"Host: {place.netloc}", "Connection: Upgrade", "Upgrade: websocket",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol: parlor.1", "", "",
    ]
    with connect() as plain, trusting(plain) as secure:
        secure.sendall("\r\n".join(lines).encode())
        while not secure.recv(1 << 16).endswith(b"\r\n\r\n"):
            pass
        asked = [json.dumps({"type": "qr", "id": id_, "text": "x" * 500}).ljust(2500).encode() for id_ in range(6)]
        secure.sendall(b"".join(map(frame, asked)))
        said = b""
        while len(re.findall(rb'"type":"done","id":\d', said)) < len(asked):
            piece = secure.recv(1 << 16)
            if not piece:
                sys.exit(f"the socket is closed behind {said!r}")
            said += piece


def fetch(path, pieces, pause):
    """A file of the page, read in pieces of so many bytes, with little room in the system for what was not read."""
    plain = socket.socket()
    if pause:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.settimeout(60)
    plain.connect((place.hostname, place.port))
    with plain, trusting(plain) as secure:
        secure.sendall(f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nConnection: close\r\n\r\n".encode())
        time.sleep(pause)
        said = b""
        while piece := secure.recv(pieces):
            said += piece
    return said


for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
    context = ssl.create_default_context()
    # What clients of those days offered.
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = version
    try:
        with connect() as plain, context.wrap_socket(plain, server_hostname=place.hostname) as secure:
            print("version", secure.version())
    except (ssl.SSLError, ConnectionResetError):
        pass

context = ssl.create_default_context()
context.set_alpn_protocols(["h2", "http/1.1"])
with connect() as plain, context.wrap_socket(plain, server_hostname=place.hostname) as secure:
    print("alpn", secure.selected_alpn_protocol())

shown = subprocess.run(
    ["openssl", "s_client", "-connect", place.netloc, "-showcerts"], stdin=subprocess.DEVNULL, capture_output=True,
    check=True).stdout
print("chain", len(re.findall(b"BEGIN CERTIFICATE", shown)))

for first in (request, b"\r\n", b"GET /game HTTP/1.1\r\n", bytes(64), bytes([22, 3, 1, 255, 255]) + bytes(300)):
    with connect() as plain:
        said = b""
        try:
            plain.sendall(first)
            plain.shutdown(socket.SHUT_WR)
            while piece := plain.recv(1 << 16):
                said += piece
        except OSError:
            # It was closed before all was sent.
            pass
        if b"HTTP/" in said or b"html" in said or len(said) > 16:
            sys.exit(f"without TLS it says {said!r}")
print("plain")

try:
    with connect() as plain, ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).wrap_socket(
            plain, server_hostname=place.hostname):
        sys.exit("a client that trusts nobody comes in")
except ssl.SSLCertVerificationError:
    print("stranger refused")

burst()
print("burst")

if fetch("/verify.html", 1 << 16, 0) != fetch("/verify.html", 500, 0.5):
    sys.exit("a slow reader gets something else")
print("slow")

with urllib.request.urlopen(sys.argv[1], timeout=60) as answer:
    print("served" if b"<title>Parlor</title>" in answer.read() else "another page")
