"""What a server of TLS answers to those who want something else.

Usage: tls.py PAGE. SSL_CERT_FILE names whom it trusts. Prints `version NAME` for each version of TLS that is spoken,
`alpn NAME` for what is chosen of `h2` and `http/1.1`, `chain COUNT` for the certificates that are shown, `plain` where
requests without TLS are told nothing, `stranger refused` where a client that trusts nobody does not come in, and
`served` where the page is still given after all of it. Ends with status 1 and words where anything is wrong.
"""

import re
import socket
import ssl
import subprocess
import sys
import urllib.parse
import urllib.request
import warnings

warnings.simplefilter("ignore", DeprecationWarning)
place = urllib.parse.urlsplit(sys.argv[1])
request = f"GET / HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode()


def connect():
    return socket.create_connection((place.hostname, place.port), timeout=60)


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

with urllib.request.urlopen(sys.argv[1], timeout=60) as answer:
    print("served" if b"<title>Parlor</title>" in answer.read() else "another page")
