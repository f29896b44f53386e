"""A server between a page and the server of `parlor serve --web` that lies about what the other one says.

It hands on all bytes, but for the texts that the server sends over WebSockets: `lie` may change those, as parsed JSON.
"""

import json
import socket
import threading


class Liar:
    def __init__(self, host, port):
        self.to, self.lie = (host, port), None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(self.to)
            threading.Thread(target=self.ask, args=(client, server), daemon=True).start()
            threading.Thread(target=self.answer, args=(client, server), daemon=True).start()

    def ask(self, client, server):
        """The first request without compression, all else as it is."""
        try:
            head = b""
            while b"\r\n\r\n" not in head and (piece := client.recv(1 << 16)):
                head += piece
            lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"sec-websocket-extensions")]
            server.sendall(b"\r\n".join(lines))
            while piece := client.recv(1 << 16):
                server.sendall(piece)
            server.shutdown(socket.SHUT_WR)
        except OSError:
            server.close()

    def answer(self, client, server):
        try:
            head = b""
            while b"\r\n\r\n" not in head and (piece := server.recv(1 << 16)):
                head += piece
            if not head.startswith(b"HTTP/1.1 101"):
                client.sendall(head)
                while piece := server.recv(1 << 16):
                    client.sendall(piece)
                return client.shutdown(socket.SHUT_WR)
            end = head.index(b"\r\n\r\n") + 4
            client.sendall(head[:end])
            self.frames(client, server, head[end:])
        except OSError:
            client.close()
        return None

    def frames(self, client, server, rest):
        """Frames of a server have no mask; each of these is a whole message."""
        def take(count):
            nonlocal rest
            while len(rest) < count:
                piece = server.recv(1 << 16)
                if not piece:
                    raise OSError
                rest += piece
            taken, rest = rest[:count], rest[count:]
            return taken

        while True:
            first, length = take(2)
            if length >= 126:
                length = int.from_bytes(take(2 if length == 126 else 8), "big")
            content = take(length)
            for text in self.said(content) if first == 0x81 else [content]:
                size = bytes([len(text)]) if len(text) < 126 else (
                    b"\x7e" + len(text).to_bytes(2, "big") if len(text) < 1 << 16
                    else b"\x7f" + len(text).to_bytes(8, "big"))
                client.sendall(bytes([first]) + size + text)

    def said(self, text):
        """What is said in the place of a text: nothing or several texts too."""
        if self.lie is None:
            return [text]
        return [json.dumps(message).encode() for message in self.lie(json.loads(text))]
