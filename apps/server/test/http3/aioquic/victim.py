"""A client that sends a request every 20 ms on one connection, and every tenth one on a new connection.

Usage: victim.py PORT SECONDS. Output: JSON with the latencies in milliseconds, and the number of failures.
"""

import json
import sys
import time

from peer import Peer

port, seconds = int(sys.argv[1]), float(sys.argv[2])
kept, fresh, failures = [], [], []
peer = Peer(port).established(10)
end = time.time() + seconds
count = 0
while time.time() < end:
    count += 1
    own = count % 10 == 0
    begun = time.time()
    try:
        at = Peer(port).established(10) if own else peer
        if at.get("/facts")[0] != 200:
            failures.append("status")
        (fresh if own else kept).append(1000 * (time.time() - begun))
        if own:
            at.close()
    except (ConnectionError, TimeoutError) as error:
        failures.append(str(error))
        if not own:
            peer = Peer(port).established(10)
    time.sleep(0.02)


def summary(values):
    values = sorted(values)
    return {
        "count": len(values),
        "p50": values[len(values) // 2] if values else None,
        "p99": values[len(values) * 99 // 100] if values else None,
    }


print(json.dumps({"kept": summary(kept), "fresh": summary(fresh), "failures": failures}))
