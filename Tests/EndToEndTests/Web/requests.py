"""Requests for the page, by hand.

Usage: requests.py PAGE. Reads `METHOD PATH HOST [ENCODING]`, a line each, and asks over one connection that is kept;
prints the answer's status, its type, how many bytes came and how many they are unpacked, and `whole` where those that
came are as many as its length says.
"""

import gzip
import http.client
import sys
import urllib.parse

place = urllib.parse.urlsplit(sys.argv[1])
kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
connection = kind(place.hostname, place.port, timeout=60)
for line in sys.stdin:
    method, path, host, *encodings = line.split()
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for encoding in encodings:
        connection.putheader("Accept-Encoding", encoding)
    connection.putheader("Host", place.netloc if host == "-" else host)
    connection.endheaders()
    answer = connection.getresponse()
    content = answer.read()
    length = int(answer.getheader("Content-Length"))
    is_whole = length == len(content) if method != "HEAD" else not content
    guarded = "default-src 'none'" in answer.getheader("Content-Security-Policy", "")
    is_packed = answer.getheader("Content-Encoding") == "gzip"
    count = len(gzip.decompress(content)) if is_packed and content else len(content)
    print(answer.status, answer.getheader("Content-Type"), len(content), count,
          "whole" if is_whole and guarded else "broken")
