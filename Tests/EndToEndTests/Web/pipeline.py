"""Requests that bring content, one behind the other without waiting for answers.

Usage: pipeline.py PAGE. Prints `served` when the page is still given to others after all of them.
"""

import contextlib
import socket
import ssl
import sys
import urllib.parse

place = urllib.parse.urlsplit(sys.argv[1])
host = f"Host: {place.netloc}\r\n"
page = f"GET / HTTP/1.1\r\n{host}\r\n".encode()
requests = [page] + [
    f"{method} / HTTP/1.1\r\n{host}Content-Length: 5\r\n\r\nhello".encode() for method in ("POST", "GET", "HEAD")]
requests.append(f"PUT / HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n".encode())


@contextlib.contextmanager
def connect():
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        if place.scheme == "https":
            with ssl.create_default_context().wrap_socket(connection, server_hostname=place.hostname) as secure:
                yield secure
        else:
            yield connection


def ask(content, seconds):
    """Sends something, and says what came back first."""
    with connect() as connection:
        connection.sendall(content)
        connection.settimeout(seconds)
        try:
            return connection.recv(12)
        except (TimeoutError, ConnectionResetError):
            return b""


for first in requests:
    for second in requests:
        whole = first + second + second
        for cut in range(len(first + second), len(whole) + 1, 7):
            ask(whole[:cut], 0.01)
    if ask(page, 60) != b"HTTP/1.1 200":
        sys.exit(f"nobody is served after {first!r}")
print("served")
