"""Sends invalid packets, frames and messages, made by aioquic with the keys of real connections, and prints how the server closes each.

Usage: malformed.py PORT. Output: a JSON list of [name, expected code, actual code or null].
"""

import json
import sys
import time

from aioquic.quic.packet import QuicPacketType
from aioquic.tls import Epoch
from peer import Peer, configuration, frame, integer

port = int(sys.argv[1])
huge = 2**62 - 1
FLOW, STREAM_LIMIT, STREAM_STATE, FINAL_SIZE, ENCODING, PARAMETER, ID_LIMIT, VIOLATION, BUFFER = (
    0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xA, 0xD,
)
window = 1024 * 1024
token = bytes(16)


def new_id(sequence, prior, value, reset=token):
    return frame(0x18, sequence, prior, bytes([len(value)]), value, reset)


def one_rtt(payload):
    return lambda peer: peer.packet(payload)


def raw(payload, first):
    return lambda peer: peer.raw_packet(payload, first)


# Frames of 1-RTT packets (RFC 9000 §12.4, §19)
frames = [
    ("no frames", VIOLATION, raw(b"", 0x40)),
    ("both reserved bits", VIOLATION, raw(b"\x01", 0x58)),
    ("one reserved bit", VIOLATION, raw(b"\x01", 0x50)),
    ("an unknown frame type", ENCODING, one_rtt(b"\x1f")),
    ("an unknown frame type of two bytes", ENCODING, one_rtt(integer(0x1234))),
    ("an unknown frame type of eight bytes", ENCODING, one_rtt(integer(huge))),
    ("PING in two bytes", VIOLATION, one_rtt(integer(1, 2))),
    ("STREAM in four bytes", VIOLATION, one_rtt(integer(8, 4) + b"\x00")),
    ("a truncated frame type", ENCODING, one_rtt(b"\x40")),
    ("DATAGRAM, which was not negotiated", VIOLATION, one_rtt(frame(0x30, b"x"))),
    ("DATAGRAM with a length", VIOLATION, one_rtt(frame(0x31, 1, b"x"))),
    ("ACK of a packet that was not sent", VIOLATION, one_rtt(frame(2, 1_000_000, 0, 0, 0))),
    ("ACK of the largest number", VIOLATION, one_rtt(frame(2, huge, 0, 0, 0))),
    ("ACK with a first range below 0", ENCODING, one_rtt(frame(2, 1, 0, 0, 2))),
    ("ACK with a range below 0", ENCODING, one_rtt(frame(2, 2, 0, 1, 0, 0, 5))),
    ("ACK with a gap below 0", ENCODING, one_rtt(frame(2, 2, 0, 1, 2, 0, 0))),
    ("truncated ACK", ENCODING, one_rtt(frame(2, 1, 0))),
    ("ACK with missing ranges", ENCODING, one_rtt(frame(2, 2, 0, 3, 0))),
    ("ACK with missing ECN counts", ENCODING, one_rtt(frame(3, 0, 0, 0, 0, 1))),
    ("truncated RESET_STREAM", ENCODING, one_rtt(frame(4, 0, 0))),
    ("RESET_STREAM of a server stream that is not open", STREAM_STATE, one_rtt(frame(4, 1, 0, 0))),
    ("RESET_STREAM of a send-only stream", STREAM_STATE, one_rtt(frame(4, 3, 0, 0))),
    ("RESET_STREAM above the stream limit", STREAM_LIMIT, one_rtt(frame(4, 4 * 250, 0, 0))),
    ("RESET_STREAM above the stream window", FLOW, one_rtt(frame(4, 0, 0, window + 1))),
    ("RESET_STREAM with the largest size", FLOW, one_rtt(frame(4, 0, 0, huge))),
    ("RESET_STREAM with two sizes", FINAL_SIZE, one_rtt(frame(4, 0, 0, 4) + frame(4, 0, 0, 5))),
    ("RESET_STREAM below received data", FINAL_SIZE, one_rtt(frame(0xA, 2, 5, b"!hell") + frame(4, 2, 0, 4))),
    ("truncated STOP_SENDING", ENCODING, one_rtt(frame(5, 0))),
    ("STOP_SENDING of a receive-only stream", STREAM_STATE, one_rtt(frame(5, 2, 0))),
    ("STOP_SENDING of a server stream that is not open", STREAM_STATE, one_rtt(frame(5, 1, 0))),
    ("STOP_SENDING above the stream limit", STREAM_LIMIT, one_rtt(frame(5, 4 * 250, 0))),
    ("truncated CRYPTO", ENCODING, one_rtt(frame(6, 0, 10, b"short"))),
    ("CRYPTO at the largest offset", BUFFER, one_rtt(frame(6, huge, 1, b"x"))),
    ("CRYPTO far ahead", BUFFER, one_rtt(frame(6, 1_000_000, 1, b"x"))),
    ("CRYPTO with 100 gaps", BUFFER, one_rtt(b"".join(frame(6, 2 * i + 1, 1, b"x") for i in range(100)))),
    ("NEW_TOKEN from a client", VIOLATION, one_rtt(frame(7, 3, b"abc"))),
    ("empty NEW_TOKEN", ENCODING, one_rtt(frame(7, 0))),
    ("truncated STREAM", ENCODING, one_rtt(frame(0xA, 0, 10, b"short"))),
    ("STREAM without its offset", ENCODING, one_rtt(b"\x0c\x00")),
    ("STREAM above the largest offset", (FLOW, ENCODING), one_rtt(frame(0xC, 0, huge, b"x"))),
    ("STREAM on a server stream that is not open", STREAM_STATE, one_rtt(frame(8, 1, b"x"))),
    ("STREAM on a send-only stream", STREAM_STATE, one_rtt(frame(8, 3, b"x"))),
    ("STREAM above the bidirectional limit", STREAM_LIMIT, one_rtt(frame(8, 4 * 250, b"x"))),
    ("STREAM above the unidirectional limit", STREAM_LIMIT, one_rtt(frame(8, 4 * 16 + 2, b"x"))),
    ("STREAM with the largest id", STREAM_LIMIT, one_rtt(frame(8, huge - 3, b"x"))),
    ("STREAM above the stream window", FLOW, one_rtt(frame(0xC, 0, window, b"x"))),
    ("streams above the connection window", FLOW,
     one_rtt(b"".join(frame(0xE, 4 * i, window - 1, 1, b"\x00") for i in range(3)))),
    ("STREAM after its end", FINAL_SIZE, one_rtt(frame(0xB, 0, 2, b"\x21\x00") + frame(0xC, 0, 2, b"c"))),
    ("STREAM with two ends", FINAL_SIZE, one_rtt(frame(0xB, 0, 2, b"\x21\x00") + frame(0xB, 0, 1, b"\x21"))),
    ("STREAM with an end before received data", FINAL_SIZE, one_rtt(frame(0xE, 0, 9, 1, b"x") + frame(0xF, 0, 4, 0))),
    ("truncated MAX_DATA", ENCODING, one_rtt(b"\x10\x80")),
    ("truncated MAX_STREAM_DATA", ENCODING, one_rtt(frame(0x11, 0))),
    ("MAX_STREAM_DATA of a receive-only stream", STREAM_STATE, one_rtt(frame(0x11, 2, 10))),
    ("MAX_STREAM_DATA of a server stream that is not open", STREAM_STATE, one_rtt(frame(0x11, 4 * 100 + 3, 10))),
    ("MAX_STREAMS above 2^60", ENCODING, one_rtt(frame(0x12, 2**60 + 1))),
    ("unidirectional MAX_STREAMS above 2^60", ENCODING, one_rtt(frame(0x13, 2**61))),
    ("truncated DATA_BLOCKED", ENCODING, one_rtt(frame(0x14))),
    ("truncated STREAM_DATA_BLOCKED", ENCODING, one_rtt(frame(0x15, 0))),
    ("STREAM_DATA_BLOCKED of a send-only stream", STREAM_STATE, one_rtt(frame(0x15, 3, 0))),
    ("STREAMS_BLOCKED above 2^60", ENCODING, one_rtt(frame(0x16, 2**60 + 1))),
    ("unidirectional STREAMS_BLOCKED above 2^60", ENCODING, one_rtt(frame(0x17, huge))),
    ("truncated NEW_CONNECTION_ID", ENCODING, one_rtt(frame(0x18, 1, 0, b"\x08", bytes(8), b"short"))),
    ("NEW_CONNECTION_ID without an id", ENCODING, one_rtt(new_id(90, 0, b""))),
    ("NEW_CONNECTION_ID of 21 bytes", ENCODING, one_rtt(new_id(90, 0, bytes(21)))),
    ("NEW_CONNECTION_ID that retires itself", ENCODING, one_rtt(new_id(90, 91, bytes(8)))),
    ("one connection id with two numbers", VIOLATION, lambda peer: peer.packet(new_id(90, 0, peer.host_cid(1)))),
    ("two connection ids with one number", VIOLATION, one_rtt(new_id(1, 0, b"b" * 8))),
    ("too many connection ids", ID_LIMIT, one_rtt(b"".join(new_id(90 + i, 0, bytes([i]) * 8) for i in range(6)))),
    ("connection ids that retire each other", ID_LIMIT,
     lambda peer: peer.packet(b"".join(new_id(90 + i, 90 + i, peer.extra_cid(90 + i)) for i in range(30)))),
    ("RETIRE_CONNECTION_ID of an id that was not issued", VIOLATION, one_rtt(frame(0x19, 1000))),
    ("truncated RETIRE_CONNECTION_ID", ENCODING, one_rtt(frame(0x19))),
    ("truncated PATH_CHALLENGE", ENCODING, one_rtt(b"\x1aseven b")),
    ("truncated PATH_RESPONSE", ENCODING, one_rtt(b"\x1bseven b")),
    ("truncated CONNECTION_CLOSE", ENCODING, one_rtt(frame(0x1C, 0, 0, 9, b"short"))),
    ("truncated CONNECTION_CLOSE of the application", ENCODING, one_rtt(frame(0x1D, 0, 9, b"short"))),
    ("HANDSHAKE_DONE from a client", VIOLATION, one_rtt(b"\x1e")),
    ("a handshake message after the handshake", 0x10A, one_rtt(frame(6, 0, 8, b"\x01\x00\x00\x04abcd"))),
    ("a KeyUpdate message", 0x10A, one_rtt(frame(6, 0, 5, b"\x18\x00\x00\x01\x00"))),
]

# Frames that Initial packets must not contain (RFC 9000 §12.4)
initial = [
    ("STREAM", frame(0xA, 0, 1, b"x")),
    ("RESET_STREAM", frame(4, 0, 0, 0)),
    ("STOP_SENDING", frame(5, 0, 0)),
    ("NEW_TOKEN", frame(7, 1, b"x")),
    ("MAX_DATA", frame(0x10, 1)),
    ("MAX_STREAMS", frame(0x12, 1)),
    ("NEW_CONNECTION_ID", new_id(1, 0, bytes(8))),
    ("PATH_CHALLENGE", b"\x1a" + bytes(8)),
    ("CONNECTION_CLOSE of the application", frame(0x1D, 0, 0)),
    ("HANDSHAKE_DONE", b"\x1e"),
]

# Transport parameters (RFC 9000 §7.3, §18.2); each is a change of the encoded list.


def parameter(number, value):
    return frame(number, len(value), value)


def without(number):
    def change(encoded):
        out, rest = b"", encoded
        while rest:
            kind, size = rest[0], rest[1]
            assert kind < 64 and size < 64
            if kind != number:
                out += rest[: 2 + size]
            rest = rest[2 + size :]
        return out

    return change


def replaced(number, value):
    return lambda encoded: without(number)(encoded) + parameter(number, value)


parameters = [
    ("no initial_source_connection_id", without(0x0F)),
    ("another initial_source_connection_id", replaced(0x0F, b"12345678")),
    ("original_destination_connection_id from a client", lambda it: it + parameter(0, bytes(8))),
    ("stateless_reset_token from a client", lambda it: it + parameter(2, bytes(16))),
    ("preferred_address from a client", lambda it: it + parameter(0x0D, bytes(41))),
    ("retry_source_connection_id from a client", lambda it: it + parameter(0x10, bytes(8))),
    ("a duplicate parameter", lambda it: it + parameter(1, integer(1000)) + parameter(1, integer(1000))),
    ("a truncated parameter", lambda it: it + b"\x21\x05x"),
    ("a parameter with excess bytes", replaced(4, integer(1) + b"x")),
    ("max_udp_payload_size of 1199", replaced(3, integer(1199))),
    ("ack_delay_exponent of 21", replaced(0x0A, integer(21))),
    ("max_ack_delay of 2^14", replaced(0x0B, integer(2**14))),
    ("active_connection_id_limit of 1", replaced(0x0E, integer(1))),
    ("initial_max_streams_bidi above 2^60", replaced(8, integer(2**60 + 1))),
    ("initial_max_streams_uni above 2^60", replaced(9, integer(2**60 + 1))),
    ("disable_active_migration with a value", lambda it: it + parameter(0x0C, b"x")),
    ("version_information of 5 bytes", replaced(0x11, bytes([0, 0, 0, 1, 0]))),
    ("version 0 in version_information", replaced(0x11, bytes([0, 0, 0, 1, 0, 0, 0, 0]))),
]

# HTTP/3 (RFC 9114 §8) and QPACK (RFC 9204). `control`: bytes of the control stream after its type.
NO_ERROR, GENERAL, INTERNAL, CREATION, CLOSED, UNEXPECTED, FRAME, LOAD, ID, SETTINGS, MISSING = range(0x100, 0x10B)
QPACK, ENCODER, DECODER = 0x200, 0x201, 0x202
settings = frame(4, 0)


def h3(kind, *parts):
    payload = b"".join(each if isinstance(each, bytes) else integer(each) for each in parts)
    return frame(kind, len(payload), payload)


def streams(*list_of):
    """Writes to streams: (id, bytes) or (id, bytes, end)."""

    def send(peer):
        for stream, data, *end in list_of:
            peer.quic.send_stream_data(stream, data, end_stream=bool(end))
        peer.flush()

    return send


def control(data):
    return streams((2, b"\x00" + data))


def request(data, end=True):
    return streams((2, b"\x00" + settings), (0, data, *([1] if end else [])))


def reset(stream):
    def send(peer):
        peer.quic.reset_stream(stream, 0x100)
        peer.flush()

    return send


def both(*steps):
    def send(peer):
        for step in steps:
            step(peer)
            peer.run(lambda: peer.closed is not None, 0.03)

    return send


http = [
    ("DATA before HEADERS", UNEXPECTED, request(h3(0, b"x"))),
    ("SETTINGS on a request stream", UNEXPECTED, request(settings)),
    ("GOAWAY on a request stream", UNEXPECTED, request(h3(7, 0))),
    ("CANCEL_PUSH on a request stream", UNEXPECTED, request(h3(3, 0))),
    ("MAX_PUSH_ID on a request stream", UNEXPECTED, request(h3(0xD, 0))),
    ("PUSH_PROMISE on a request stream", UNEXPECTED, request(h3(5, 0))),
    ("the HTTP/2 frame PRIORITY", UNEXPECTED, request(h3(2, bytes(5)))),
    ("the HTTP/2 frame PING", UNEXPECTED, request(h3(6, bytes(8)))),
    ("the HTTP/2 frame WINDOW_UPDATE", UNEXPECTED, request(h3(8, bytes(4)))),
    ("the HTTP/2 frame CONTINUATION", UNEXPECTED, request(h3(9, b""))),
    ("a request stream that ends within a frame", FRAME, request(b"\x01\x14\x00")),
    ("a second control stream", CREATION, streams((2, b"\x00" + settings), (6, b"\x00" + settings))),
    ("a push stream from a client", CREATION, streams((2, b"\x00" + settings), (6, b"\x01\x00"))),
    ("a second encoder stream", CREATION, streams((2, b"\x00" + settings), (6, b"\x02"), (10, b"\x02"))),
    ("a second decoder stream", CREATION, streams((2, b"\x00" + settings), (6, b"\x03"), (10, b"\x03"))),
    ("a control stream that ends", CLOSED, streams((2, b"\x00" + settings, 1))),
    ("a control stream that is reset", CLOSED, both(control(settings), reset(2))),
    ("an encoder stream that ends", CLOSED, streams((2, b"\x00" + settings), (6, b"\x02", 1))),
    ("a decoder stream that ends", CLOSED, streams((2, b"\x00" + settings), (6, b"\x03", 1))),
    ("a control stream that begins with GOAWAY", MISSING, control(h3(7, 0))),
    ("a control stream that begins with DATA", (MISSING, UNEXPECTED), control(h3(0, b"x"))),
    ("SETTINGS twice", UNEXPECTED, control(settings + settings)),
    ("DATA on the control stream", UNEXPECTED, control(settings + h3(0, b"x"))),
    ("HEADERS on the control stream", UNEXPECTED, control(settings + h3(1, b"x"))),
    ("PUSH_PROMISE on the control stream", UNEXPECTED, control(settings + h3(5, 0))),
    ("the HTTP/2 frame PING on the control stream", UNEXPECTED, control(settings + h3(6, bytes(8)))),
    ("a duplicate setting", SETTINGS, control(h3(4, 1, 0, 1, 0))),
    ("a setting of HTTP/2", SETTINGS, control(h3(4, 4, 100))),
    ("SETTINGS_ENABLE_CONNECT_PROTOCOL of 2", SETTINGS, control(h3(4, 8, 2))),
    ("truncated SETTINGS", FRAME, control(h3(4, 1))),
    ("GOAWAY without an id", FRAME, control(settings + h3(7))),
    ("GOAWAY with excess bytes", FRAME, control(settings + h3(7, 0, b"x"))),
    ("GOAWAY with a greater id", ID, control(settings + h3(7, 4) + h3(7, 8))),
    ("MAX_PUSH_ID that decreases", ID, control(settings + h3(0xD, 4) + h3(0xD, 2))),
    ("truncated MAX_PUSH_ID", FRAME, control(settings + h3(0xD, b"\x40"))),
    ("CANCEL_PUSH without a push", ID, control(settings + h3(3, 0))),
    ("PRIORITY_UPDATE of a server stream", ID, control(settings + h3(0xF0700, 1, b"u=1"))),
    ("a SETTINGS frame of 10,000 bytes", LOAD, control(frame(4, 10_000))),
    ("a HEADERS frame of 1 GiB", LOAD, request(frame(1, 2**30), end=False)),
    ("a static index that does not exist", QPACK, request(h3(1, b"\x00\x00\xff\x40"))),
    ("a required insert count that is impossible", QPACK, request(h3(1, b"\xff\x80\x7f\x00"))),
    ("a truncated section prefix", QPACK, request(h3(1, b"\x00"))),
    ("a dynamic reference without inserts", QPACK, request(h3(1, b"\x00\x00\x80"))),
    ("a truncated literal", QPACK, request(h3(1, b"\x00\x00\x23abc"))),
    ("invalid Huffman coding", QPACK, request(h3(1, b"\x00\x00\x51\x81\x00"))),
    ("a table capacity above the limit", ENCODER, streams((2, b"\x00" + settings), (6, b"\x02\x3f\xe1\xff\x7f"))),
    ("a duplicate of an entry that does not exist", ENCODER, streams((2, b"\x00" + settings), (6, b"\x02\x05"))),
    ("an insert with a static name that does not exist", ENCODER,
     streams((2, b"\x00" + settings), (6, b"\x02\x3f\xe1\x1f\xff\x40\x01x"))),
    ("an entry larger than the table", ENCODER,
     streams((2, b"\x00" + settings), (6, b"\x02\x3f\x11\x41a\x7f\x80\x01" + b"x" * 255))),
    ("a QPACK integer without end", ENCODER, streams((2, b"\x00" + settings), (6, b"\x02\x3f" + b"\xff" * 20))),
    ("an acknowledgment of a section that was not sent", DECODER,
     streams((2, b"\x00" + settings), (6, b"\x03\x84"))),
    ("an insert count increment of 0", DECODER, streams((2, b"\x00" + settings), (6, b"\x03\x00"))),
    ("an insert count increment above the inserts", DECODER, streams((2, b"\x00" + settings), (6, b"\x03\x3e"))),
]


def outcome(peer, seconds=3.0):
    peer.run(lambda: peer.closed is not None, seconds)
    return None if peer.closed is None else peer.closed.error_code


def established(send):
    peer = Peer(port).established()
    try:
        send(peer)
        return outcome(peer)
    finally:
        peer.close()


def at_start(payload, kind=QuicPacketType.INITIAL, epoch=Epoch.INITIAL):
    """Sends a packet after the ClientHello, before anything of the server is received."""
    peer = Peer(port)
    peer.start()
    peer.packet(payload, kind, epoch, pad=1000)
    try:
        return outcome(peer)
    finally:
        peer.close()


def with_parameters(change):
    peer = Peer(port)
    encode = peer.quic._serialize_transport_parameters
    peer.quic._serialize_transport_parameters = lambda: change(encode())
    peer.start()
    try:
        return outcome(peer)
    finally:
        peer.close()


def with_tls(**options):
    peer = Peer(port, configuration(**options))
    peer.start()
    try:
        return outcome(peer)
    finally:
        peer.close()


def garbled_hello():
    peer = Peer(port)
    peer.quic.connect(peer.to, now=time.time())
    peer.packet(frame(6, 0, 100, b"\x02\x00\x00\x60" + bytes(96)), QuicPacketType.INITIAL, Epoch.INITIAL, pad=1000)
    try:
        return outcome(peer)
    finally:
        peer.close()


def main():
    seen = []

    def note(name, expected, play):
        try:
            seen.append([name, expected if isinstance(expected, tuple) else [expected], play()])
        except (ConnectionError, TimeoutError) as error:
            seen.append([name, expected if isinstance(expected, tuple) else [expected], str(error)])

    for name, expected, send in frames:
        note(name, expected, lambda send=send: established(send))
    for name, payload in initial:
        note(f"{name} in an Initial packet", VIOLATION, lambda payload=payload: at_start(payload))
    note("ACK of an Initial packet that was not sent", VIOLATION, lambda: at_start(frame(2, 1000, 0, 0, 0)))
    note("CRYPTO far ahead in an Initial packet", BUFFER, lambda: at_start(frame(6, 1_000_000, 1, b"x")))
    note("a message other than ClientHello", (0x10A, 0x132), garbled_hello)
    note("no common ALPN protocol", 0x178, lambda: with_tls(alpn=["hq-interop"]))
    for name, change in parameters:
        note(name, PARAMETER, lambda change=change: with_parameters(change))
    for name, expected, send in http:
        note(name, expected, lambda send=send: established(send))
    print(json.dumps(seen))


main()
