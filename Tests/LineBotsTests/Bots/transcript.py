#!/usr/bin/env python3
"""Is the bot of a transcript in a document: expects each line after `>` and says each line after `<`.

Ends with status 1, and words, at the first line that is another one. `…` stands for what is left out.
"""

import re
import sys

document, number = sys.argv[1], int(sys.argv[2])
protocol = sys.argv[3] if len(sys.argv) > 3 else "parlor-bot.1"
text = open(document, encoding="utf-8").read()
block = re.findall(rf"^```{re.escape(protocol)} [^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[number]
for line in block.splitlines():
    mark, words = line[:1], line[2:]
    if mark == "<":
        print(words, flush=True)
    elif mark == ">":
        got = sys.stdin.readline().rstrip("\r\n")
        pattern = ".*".join(re.escape(part) for part in words.split("…"))
        # How long it has is the limit of whoever runs it.
        pattern = re.sub('"milliseconds":[0-9]+', '"milliseconds":[0-9]+', pattern)
        if not re.fullmatch(pattern, got):
            sys.exit(f"expected {words}\ngot {got}")
    else:
        sys.exit(f"neither > nor <: {line}")
rest = sys.stdin.read()
if rest:
    sys.exit(f"the transcript does not have {rest}")
