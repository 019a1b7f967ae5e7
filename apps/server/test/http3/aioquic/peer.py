"""A client by aioquic whose datagrams go through a socket of its own, so that cases can change what it sends."""

import socket
import ssl
import time

from aioquic.buffer import encode_uint_var
from aioquic.h3.connection import H3Connection
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection, QuicConnectionId
from aioquic.quic.events import ConnectionTerminated, HandshakeCompleted
from aioquic.quic.packet import QuicPacketType
from aioquic.quic.packet_builder import QuicPacketBuilder
from aioquic.tls import Epoch


def configuration(**options):
    return QuicConfiguration(
        is_client=True,
        alpn_protocols=options.pop("alpn", ["h3"]),
        server_name="localhost",
        verify_mode=ssl.CERT_NONE,
        **options,
    )


class Peer:
    """One connection. `sent` and `received` count datagrams; `closed` is the event of its end."""

    def __init__(self, port, config=None, address="127.0.0.1", **extra):
        self.to = (address, port)
        self.socket = self.bind()
        self.quic = QuicConnection(configuration=config or configuration(), **extra)
        self.http = None
        self.closed = None
        self.complete = None
        self.events = []
        self.h3_events = []
        self.received = []
        # Called with each datagram to send; returns those to send in its place.
        self.change = lambda datagram: [datagram]

    def bind(self):
        new = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        new.bind(("127.0.0.1", 0))
        return new

    def rebind(self):
        """Continues on another port, as after a change of a NAT."""
        self.socket.close()
        self.socket = self.bind()

    def start(self):
        self.quic.connect(self.to, now=time.time())
        self.flush()
        return self

    def flush(self):
        for data, _ in self.quic.datagrams_to_send(now=time.time()):
            for datagram in self.change(data):
                self.socket.sendto(datagram, self.to)

    def run(self, until, seconds=5.0):
        """Exchanges datagrams until a condition holds. Returns whether it does."""
        end = time.time() + seconds
        while not until():
            now = time.time()
            if now >= end:
                return False
            timer = self.quic.get_timer()
            wait = min(end, timer if timer is not None else end) - now
            self.socket.settimeout(max(0.0005, min(wait, 0.2)))
            try:
                data, source = self.socket.recvfrom(65536)
                self.received.append(len(data))
                self.quic.receive_datagram(data, self.to, now=time.time())
            except TimeoutError:
                pass
            except ConnectionRefusedError:
                return False
            now = time.time()
            timer = self.quic.get_timer()
            if timer is not None and timer <= now:
                self.quic.handle_timer(now=now)
            self.take()
            self.flush()
        return True

    def take(self):
        event = self.quic.next_event()
        while event is not None:
            self.events.append(event)
            if isinstance(event, ConnectionTerminated):
                self.closed = event
            elif isinstance(event, HandshakeCompleted):
                self.complete = event
            if self.http is not None:
                self.h3_events += self.http.handle_event(event)
            event = self.quic.next_event()

    def established(self, seconds=15.0):
        self.start()
        if not self.run(lambda: self.complete is not None or self.closed is not None, seconds):
            raise TimeoutError("no handshake")
        if self.closed is not None:
            raise ConnectionError(f"closed with {self.closed.error_code:#x}: {self.closed.reason_phrase}")
        # The handshake is confirmed soon after.
        self.run(lambda: self.quic._handshake_confirmed, 1.0)
        return self

    def request(self, method="GET", path="/", body=b"", headers=(), end=True):
        if self.http is None:
            self.http = H3Connection(self.quic)
        stream = self.quic.get_next_available_stream_id()
        fields = [
            (b":method", method.encode()),
            (b":scheme", b"https"),
            (b":authority", b"localhost"),
            (b":path", path.encode()),
            *headers,
        ]
        self.http.send_headers(stream, fields, end_stream=end and not body)
        if body:
            self.http.send_data(stream, body, end_stream=end)
        self.flush()
        return stream

    def response(self, stream, seconds=10.0):
        """Returns status and body."""

        def mine():
            return [each for each in self.h3_events if getattr(each, "stream_id", None) == stream]

        ended = self.run(lambda: self.closed is not None or any(each.stream_ended for each in mine()), seconds)
        if not ended or self.closed is not None:
            raise ConnectionError(f"no response: {self.closed}")
        status = 0
        body = b""
        for each in mine():
            if hasattr(each, "headers") and status == 0:
                status = int(dict(each.headers)[b":status"])
            elif hasattr(each, "data"):
                body += each.data
        return status, body

    def get(self, path="/", method="GET", body=b""):
        return self.response(self.request(method, path, body))

    # Packets that aioquic itself would not send

    def packet(self, payload, kind=QuicPacketType.ONE_RTT, epoch=Epoch.ONE_RTT, pad=0):
        """Sends frames in a packet by aioquic's builder. The packet begins with a PADDING frame."""
        builder = QuicPacketBuilder(
            host_cid=self.quic.host_cid,
            peer_cid=self.quic._peer_cid.cid,
            version=self.quic._version,
            is_client=True,
            max_datagram_size=1400,
            packet_number=self.quic._packet_number,
            peer_token=self.quic._peer_token,
        )
        builder.start_packet(kind, self.quic._cryptos[epoch])
        buffer = builder.start_frame(0)
        buffer.push_bytes(payload + bytes(pad))
        datagrams, _ = builder.flush()
        self.quic._packet_number = builder.packet_number
        for datagram in datagrams:
            self.socket.sendto(datagram, self.to)

    def raw_packet(self, payload, first=0x40):
        """Sends a 1-RTT packet with this first byte (RFC 9000 §17.3.1)."""
        number = self.quic._packet_number
        self.quic._packet_number += 1
        crypto = self.quic._cryptos[Epoch.ONE_RTT]
        head = bytes([first | 0x03 | (crypto.key_phase << 2)]) + self.quic._peer_cid.cid + number.to_bytes(4, "big")
        self.socket.sendto(crypto.encrypt_packet(head, payload, number), self.to)

    def host_cid(self, sequence):
        """Returns a connection ID that the server knows."""
        return next(each.cid for each in self.quic._host_cids if each.sequence_number == sequence)

    def extra_cid(self, sequence):
        """Returns a connection ID that aioquic accepts in packets, but has not issued."""
        new = QuicConnectionId(cid=bytes([sequence]) * 8, sequence_number=sequence, was_sent=True)
        self.quic._host_cids.append(new)
        return new.cid

    def close(self):
        if self.closed is None:
            self.quic.close(error_code=0x100)
            self.flush()
        self.socket.close()


def integer(value, size=None):
    """Encodes a variable-length integer, optionally in `size` bytes."""
    if size is None:
        return encode_uint_var(value)
    return (value | ({1: 0, 2: 1, 4: 2, 8: 3}[size] << (8 * size - 2))).to_bytes(size, "big")


def frame(kind, *fields):
    return b"".join(each if isinstance(each, bytes) else integer(each) for each in (kind, *fields))
