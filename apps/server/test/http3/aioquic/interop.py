"""Plays interoperation cases against a server, and prints a JSON object of case and result: "ok", or what failed.

Usage: interop.py PORT. The server responds to /facts, echoes bodies at /echo, and has a file of
1,000,000 bytes at /large. It has a single worker, so that 260 unfinished handshakes make it require a Retry.
"""

import json
import sys
import time

from aioquic.quic.connection import QuicConnectionState
from aioquic.quic.packet import QuicProtocolVersion
from aioquic.tls import CipherSuite, Epoch
from peer import Peer, configuration

port = int(sys.argv[1])
v1, v2 = QuicProtocolVersion.VERSION_1, QuicProtocolVersion.VERSION_2


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def get(peer, path="/facts"):
    status, body = peer.get(path)
    check(status == 200, f"status {status}")
    return body


def handshake():
    peer = Peer(port).established()
    check(peer.complete.alpn_protocol == "h3", "no h3")
    return peer


def http3():
    peer = Peer(port).established()
    check(b"HTTP/3.0" in get(peer), "no HTTP/3")
    status, body = peer.get("/echo", "POST", b"x" * 100_000)
    check((status, len(body)) == (200, 100_000), f"POST: {status}, {len(body)} bytes")
    return peer


def transfer():
    peer = Peer(port, configuration(max_data=50_000, max_stream_data=20_000)).established()
    check(len(get(peer, "/large")) == 1_000_000, "incomplete")
    return peer


def many_streams():
    peer = Peer(port).established()
    streams = [peer.request(path="/facts") for _ in range(100)]
    for stream in streams:
        check(peer.response(stream)[0] == 200, f"stream {stream}")
    return peer


def suite(which):
    def play():
        peer = Peer(port, configuration(cipher_suites=[which])).established()
        get(peer)
        return peer

    return play


def key_update():
    peer = Peer(port).established()
    for _ in range(5):
        peer.quic.request_key_update()
        get(peer)
        crypto = peer.quic._cryptos[Epoch.ONE_RTT]
        check(crypto.recv.key_phase == crypto.send.key_phase, "the server did not follow")
    return peer


def rebinding():
    peer = Peer(port).established()
    stream = peer.request(path="/large")
    peer.run(lambda: len(peer.received) > 100, 5)
    peer.rebind()
    peer.flush()
    peer.quic.send_ping(1)
    peer.flush()
    check(len(peer.response(stream)[1]) == 1_000_000, "incomplete")
    return peer


def migration():
    """Like rebinding, with another connection ID for each path."""
    peer = Peer(port).established()
    for _ in range(3):
        get(peer)
        peer.rebind()
        peer.quic.change_connection_id()
    get(peer)
    return peer


def version_negotiation():
    # A version that no server supports, then version 1.
    unknown = 0x1A2A3A4A
    peer = Peer(port, configuration(supported_versions=[unknown, v1], original_version=unknown)).established()
    check(peer.quic._version == v1, "another version")
    get(peer)
    return peer


def version2():
    peer = Peer(port, configuration(supported_versions=[v2], original_version=v2)).established()
    check(peer.quic._version == v2, "another version")
    get(peer)
    return peer


def compatible_versions():
    """RFC 9368: the server may select another version, and need not."""
    peer = Peer(port, configuration(supported_versions=[v2, v1], original_version=v1)).established()
    get(peer)
    return peer


def with_ticket(early):
    tickets = []
    first = Peer(port, session_ticket_handler=tickets.append).established()
    get(first)
    first.run(lambda: len(tickets) > 0)
    check(tickets, "no ticket")
    first.close()
    peer = Peer(port, configuration(session_ticket=tickets[-1]))
    if early:
        stream = None
        peer.quic.connect(peer.to, now=time.time())
        stream = peer.request(path="/facts")
        status, body = peer.response(stream)
        check(status == 200, f"status {status}")
        check(peer.quic.tls.early_data_accepted, "early data was rejected")
        check(b"true" in body, f"not processed early: {body}")
    else:
        peer.established()
        get(peer)
    check(peer.quic.tls.session_resumed, "not resumed")
    return peer


def retry():
    """Fills the server with unfinished handshakes: it must then send Retry, and accept its token."""
    unfinished = [Peer(port) for _ in range(260)]
    for each in unfinished:
        each.start()
    peer = Peer(port).established()
    retried = peer.quic._retry_source_connection_id is not None
    get(peer)
    for each in unfinished:
        each.socket.close()
    check(retried, "no Retry")
    return peer


def amplification():
    """A client that sends one datagram receives at most three times its size."""
    peer = Peer(port)
    sent = []

    def first_only(datagram):
        sent.append(len(datagram))
        return [datagram] if len(sent) == 1 else []

    peer.change = first_only
    peer.start()
    peer.run(lambda: False, 3)
    received = sum(peer.received)
    check(0 < received <= 3 * sent[0], f"sent {sent[0]}, received {received}")
    return peer


def loss():
    """Every fifth datagram of the client is lost."""
    peer = Peer(port)
    count = 0

    def drop(datagram):
        nonlocal count
        count += 1
        return [] if count % 5 == 2 else [datagram]

    peer.change = drop
    peer.established()
    check(len(get(peer, "/large")) == 1_000_000, "incomplete")
    return peer


def duplication():
    peer = Peer(port)
    peer.change = lambda datagram: [datagram, datagram]
    peer.established()
    check(len(get(peer, "/large")) == 1_000_000, "incomplete")
    return peer


def stateless_reset():
    peer = Peer(port).established()
    get(peer)
    peer.run(lambda: False, 0.5)
    # A packet of a connection that the server does not know.
    known = peer.quic._peer_cid.cid
    peer.quic._peer_cid.cid = known[:2] + bytes(len(known) - 2)
    peer.received = []
    peer.packet(b"\x01", pad=100)
    peer.run(lambda: len(peer.received) > 0, 2)
    check(peer.received and peer.received[0] == 43, f"no stateless reset: {peer.received}")
    return peer


def close():
    peer = Peer(port).established()
    peer.quic.close(error_code=0x100)
    peer.flush()
    peer.run(lambda: peer.quic._state == QuicConnectionState.TERMINATED, 3)
    check(peer.quic._state == QuicConnectionState.TERMINATED, "not closed")
    return peer


cases = {
    "handshake": handshake,
    "http3": http3,
    "transfer": transfer,
    "100 streams": many_streams,
    "AES-256": suite(CipherSuite.AES_256_GCM_SHA384),
    "ChaCha20": suite(CipherSuite.CHACHA20_POLY1305_SHA256),
    "key update": key_update,
    "rebinding": rebinding,
    "migration": migration,
    "version negotiation": version_negotiation,
    "version 2": version2,
    "compatible versions": compatible_versions,
    "resumption": lambda: with_ticket(False),
    "0-RTT": lambda: with_ticket(True),
    "retry": retry,
    "amplification limit": amplification,
    "loss": loss,
    "duplication": duplication,
    "stateless reset": stateless_reset,
    "close": close,
}

results = {}
for name, play in cases.items():
    begun = time.time()
    try:
        play().close()
        results[name] = "ok"
    except Exception as error:  # pylint: disable=broad-except
        results[name] = f"{type(error).__name__}: {error}"
    print(f"{name}: {results[name]} ({time.time() - begun:.1f} s)", file=sys.stderr)
print(json.dumps(results))
