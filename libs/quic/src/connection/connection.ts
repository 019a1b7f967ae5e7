/**
 * A QUIC connection (RFC 9000 §5). Receives datagrams, tracks the handshake, and passes streams to the user. `sender.ts` sends packets.
 * This code uses neither sockets nor clocks. The host calls {@link Connection.receive}, {@link Connection.flush}, and {@link
 * Connection.expire}.
 */
import { failOwner, byteAt, itemAt } from '@sluice/base';
import { initialKeys, Keys } from '../crypto/keys.ts';
import type { PacketBytes } from '../crypto/protection.ts';
import { suiteOf } from '../crypto/suite.ts';
import type { TlsEvents, TlsSession } from '../crypto/tls-session.ts';
import { Recovery, space, type RecoveryWatch } from '../recovery/recovery.ts';
import type { SentPacket } from '../recovery/sent-packets.ts';
import type { QuicStream } from '../streams/stream.ts';
import type { PeerAddress } from '../wire/address.ts';
import { ByteReader } from '../wire/byte-reader.ts';
import { isQuicError, QuicError, transportError } from '../wire/error-code.ts';
import { packetContent, readFrames, type AckFrame, type FrameTaker } from '../wire/frame-reader.ts';
import { level } from '../wire/level.ts';
import { fullPacketNumber, tagLength, type LongHeader } from '../wire/packet-header.ts';
import {
  decodeTransportParameters,
  defaultTransportParameters,
  encodeTransportParameters,
  type TransportParameters,
} from '../wire/transport-parameters.ts';
import { packetType, versions, type Version } from '../wire/version.ts';

import { ApplicationKeys } from './application-keys.ts';
import type { CloseReason } from './close-reason.ts';
import type {
  ConnectionHost,
  ConnectionOptions,
  ConnectionStart,
  ConnectionUser,
  QuicConnection,
} from './connection-host.ts';
import { LocalIds, peerIdLimit, PeerIds } from './connection-ids.ts';
import { earlyPacket, type ConnectionLog } from './connection-log.ts';
import { Controls } from './controls.ts';
import { PacketSpace } from './packet-space.ts';
import { baseDatagram, Path } from './path.ts';
import { Sender, type CloseFrame } from './sender.ts';
import { StreamSet } from './stream-set.ts';

const never = Number.POSITIVE_INFINITY;
const nothing = Buffer.alloc(0);
/** Advertised `max_ack_delay`, in milliseconds. */
const maxAckDelay = 25;
/** Maximum size of buffered out-of-order CRYPTO data, in bytes (RFC 9000 §7.5 requires at least 4096). */
const maxCryptoKept = 64 * 1024;
/** Maximum number of buffered out-of-order CRYPTO segments. */
const maxCryptoSegments = 64;
/**
 * Maximum number of out-of-order segments to buffer per stream. `maxSegments` is the limit for all streams together. The limits bound
 * memory use.
 */
const maxStreamSegments = 1000;
const maxSegments = 4096;
/** Maximum number of packets to buffer until their keys are available. */
const maxEarlyPackets = 8;
/** Maximum number of challenges on inactive paths that are answered together. A peer that migrates repeats unanswered challenges. */
const maxStrays = 4;
/** Maximum number of early retransmissions of handshake data. Limited because anyone on the path can trigger them. */
const maxRepetitions = 3;
/** Amplification limit: bytes that may be sent per received byte before address validation (RFC 9000 §8.1). */
const amplification = 3;
/** Maximum number of times per flush that users are notified of free buffer space through `onRoom`. */
const maxRefills = 4;
/** Fraction of the confidentiality limit after which keys are updated. */
const updateShare = 0.5;

/** Connection states (RFC 9000 §10). */
const state = { open: 0, closing: 1, draining: 2, over: 3 } as const;

/** A received datagram with metadata from the socket. */
export interface ReceivedDatagram {
  readonly address: PeerAddress;
  /** ECN codepoint; see `ecn`. */
  readonly codepoint: number;
  readonly now: number;
}

/** Packet reader shared by all connections, because only one packet is read at a time. */
const reader = new ByteReader();
const packetBytes: PacketBytes = { bytes: nothing, start: 0, payload: 0, end: 0 };

export class Connection implements QuicConnection, FrameTaker, RecoveryWatch, TlsEvents {
  readonly isServer: boolean;
  readonly version: Version;
  readonly host: ConnectionHost;
  readonly user: ConnectionUser;
  readonly options: ConnectionOptions;
  readonly streams: StreamSet;
  readonly recovery: Recovery;
  readonly spaces: readonly [PacketSpace, PacketSpace, PacketSpace];
  readonly localIds: LocalIds;
  readonly peerIds: PeerIds;
  readonly controls: Controls;
  readonly log: ConnectionLog | null;
  path: Path;
  keys: ApplicationKeys | null = null;
  sourceId: Buffer;
  token: Buffer = nothing;
  peer: TransportParameters = defaultTransportParameters();
  /** Time when {@link expire} must be called; `Infinity` means never. */
  deadline = never;
  /** True if a flush is scheduled. The host sets and clears it. */
  woken = false;
  complete = false;
  confirmed = false;
  readonly #sender: Sender;
  readonly #tls: TlsSession;
  readonly #start: ConnectionStart;
  #state: number = state.open;
  #closeFrame: CloseFrame | null = null;
  /** Number of packets received since CONNECTION_CLOSE was last sent. At `#closeEvery` packets, it is sent again. */
  #closeReceived = 0;
  #closeEvery = 1;
  /** Time when a closing or draining connection is discarded. */
  #endAt = never;
  #idleAt = never;
  #idleTimeout: number;
  /** True if an ack-eliciting packet was sent after the last received packet. Only the first such packet extends the idle timeout. */
  #sentSinceReceived = false;
  #readSecret: Keys | null = null;
  /** Keys for 0-RTT packets. Set on a server that accepted early data. Discarded when the handshake is complete. */
  #earlyKeys: Keys | null = null;
  /** Destination connection ID that a Retry packet requested. */
  #retrySource: Buffer | null = null;
  #openFailures = 0;
  /** Number of early retransmissions of handshake data. */
  #repetitions = 0;
  #earlyPackets: Buffer[] = [];
  #flushing = false;
  // State of the packet that is being processed.
  #now = 0;
  #space: PacketSpace;
  #level = 0;
  #from: PeerAddress | null = null;
  #datagramSize = 0;
  /** Pending path challenges that arrived on paths other than the active one. */
  #strays: { readonly data: Buffer; readonly to: PeerAddress; readonly room: number }[] = [];
  /** Path before a migration. Kept until the new path is validated (RFC 9000 §9.3.2). */
  #formerPath: Path | null = null;

  constructor(host: ConnectionHost, user: ConnectionUser, options: ConnectionOptions, start: ConnectionStart) {
    this.host = host;
    this.user = user;
    this.options = options;
    this.#start = start;
    this.isServer = start.isServer;
    this.version = start.version;
    this.log = start.log;
    this.#idleTimeout = options.idleTimeout;
    this.path = new Path(start.address, start.validated);
    const wake = (): void => host.wake(this);
    this.spaces = [
      new PacketSpace(space.initial, 0, wake),
      new PacketSpace(space.handshake, 0, wake),
      new PacketSpace(space.application, maxAckDelay, wake),
    ];
    this.#space = this.spaces[0];
    this.recovery = new Recovery(this, baseDatagram);
    this.streams = new StreamSet(
      { isServer: this.isServer, wake, onStream: (stream) => this.#onStream(stream) },
      options,
    );
    this.localIds = new LocalIds(host, this);
    this.peerIds = new PeerIds(start.peerId);
    const first = this.localIds.first();
    this.sourceId = first.id;
    this.controls = new Controls({ streams: this.streams, localIds: this.localIds, peerIds: this.peerIds }, wake);
    this.#sender = new Sender(this);
    this.#makeInitialKeys(start.retrySource ?? start.originalDestination);
    this.#tls = start.tls(this.#encodeParameters(first.resetToken));
  }

  /** Starts the connection. A client sends its first packet. */
  begin(now: number): void {
    this.#now = now;
    this.#setIdle(now);
    this.#tls.start(this);
    this.host.wake(this);
  }

  get address(): PeerAddress {
    return this.path.address;
  }

  get allSent(): boolean {
    return this.streams.allSent;
  }

  get unanswered(): number {
    return this.recovery.timeouts;
  }

  get output(): ConnectionHost['output'] {
    return this.host.output;
  }

  get isOver(): boolean {
    return this.#state === state.over;
  }

  /** True if an authentic packet from the peer has been received. */
  get hasReceived(): boolean {
    return this.spaces.some(({ acks }) => acks.largest >= 0) || this.#state !== state.open;
  }

  get isOpen(): boolean {
    return this.#state === state.open;
  }

  get maxPayload(): number {
    return this.peer.maxUdpPayloadSize;
  }

  #encodeParameters(resetToken: Buffer): Buffer {
    const { originalDestination, retrySource } = this.#start;
    const { maxData, maxStreamData, maxStreamsBidi, maxStreamsUni, idleTimeout } = this.options;
    const parameters: TransportParameters = {
      ...defaultTransportParameters(),
      originalDestination: this.isServer ? originalDestination : null,
      retrySource: this.isServer ? retrySource : null,
      statelessResetToken: this.isServer ? resetToken : null,
      initialSource: this.sourceId,
      maxIdleTimeout: idleTimeout,
      initialMaxData: maxData,
      initialMaxStreamDataBidiLocal: maxStreamData,
      initialMaxStreamDataBidiRemote: maxStreamData,
      initialMaxStreamDataUni: maxStreamData,
      initialMaxStreamsBidi: maxStreamsBidi,
      initialMaxStreamsUni: maxStreamsUni,
      activeConnectionIdLimit: peerIdLimit,
      versionInformation: [this.version.number, ...versions.map(({ number }) => number)],
    };
    this.log?.parameters('local', parameters, this.host.now());
    return encodeTransportParameters(parameters);
  }

  #makeInitialKeys(destination: Buffer): void {
    const initial = initialKeys(this.host.ciphers, this.version, destination);
    const [own, theirs] = this.isServer ? [initial.server, initial.client] : [initial.client, initial.server];
    const of = this.spaces[space.initial];
    of.open?.free(true);
    of.seal?.free(true);
    of.open = theirs('open');
    of.seal = own('seal');
  }

  // Calls by the application

  /** Destination connection ID of the client's first packet. Used to authenticate a Retry packet. */
  get originalDestination(): Buffer {
    return this.#start.originalDestination;
  }

  /** Opens a stream. Returns `null` if the peer's stream limit has been reached. */
  openStream(bidirectional: boolean): QuicStream | null {
    return this.#state === state.open ? this.streams.open(bidirectional) : null;
  }

  ping(): void {
    if (this.#state !== state.open || this.keys === null) return;
    const of = this.spaces[space.application];
    of.probes = Math.max(of.probes, 1);
    this.host.wake(this);
  }

  close(code: number, reason = ''): void {
    this.#close({ code, reason, frameType: 0, application: true });
  }

  /** Starts a key update with the next packet. Returns false if the previous update is still in progress. */
  updateKeys(): boolean {
    const { keys } = this;
    if (keys === null || !this.confirmed || !keys.canUpdate) return false;
    keys.update(this.spaces[space.application].next);
    return true;
  }

  // Receiving

  /** Processes a packet with a long header that starts at `start`. */
  receiveLong(bytes: Buffer, start: number, header: LongHeader, datagram: ReceivedDatagram): void {
    const { type } = header;
    if (type === packetType.retry || header.version !== this.version) return;
    if (type === packetType.zeroRtt) {
      this.#receiveEarlyData(bytes, start, header, datagram);
      return;
    }
    const of = this.spaces[type === packetType.initial ? space.initial : space.handshake];
    if (of.discarded) return;
    if (of.open === null) {
      this.#keepEarly(bytes, start, header.end);
      return;
    }
    this.#level = type === packetType.initial ? level.initial : level.handshake;
    this.#packet(of, { bytes, start, numberAt: header.numberAt, end: header.end, source: header.source }, datagram);
  }

  #receiveEarlyData(bytes: Buffer, start: number, { numberAt, end }: LongHeader, datagram: ReceivedDatagram): void {
    if (!this.isServer) return;
    if (this.#earlyKeys === null) {
      // TLS decides on early data before it provides handshake keys. Until then, the packets must wait.
      const { seal, discarded } = this.spaces[space.handshake];
      if (seal === null && !discarded) this.#keepEarly(bytes, start, end);
      return;
    }
    this.#level = level.early;
    this.#packet(this.spaces[space.application], { bytes, start, numberAt, end, source: nothing }, datagram);
  }

  /**
   * Processes a Retry packet with a valid integrity tag. Restarts the connection with the packet's token and connection ID (RFC 9000
   * §17.2.5). A client accepts a Retry packet only once, and only as the first packet.
   */
  receiveRetry(source: Buffer, token: Buffer): void {
    if (this.isServer || this.#retrySource !== null || this.spaces[space.initial].acks.largest >= 0) return;
    this.#retrySource = Buffer.from(source);
    this.token = Buffer.from(token);
    this.peerIds.replaceFirst(this.#retrySource);
    this.#makeInitialKeys(this.#retrySource);
    this.recovery.loseAll(space.initial);
    this.host.wake(this);
  }

  /** Processes a packet with a short header and a connection ID of `idLength` bytes. */
  receiveShort(bytes: Buffer, start: number, end: number, datagram: ReceivedDatagram): void {
    if (this.keys === null || (this.isServer && !this.complete)) {
      this.#keepEarly(bytes, start, end);
      return;
    }
    this.#level = level.application;
    const numberAt = start + 1 + this.sourceId.length;
    this.#packet(this.spaces[space.application], { bytes, start, numberAt, end, source: nothing }, datagram);
  }

  /** Buffers packets that arrive before their keys are available. */
  #keepEarly(bytes: Buffer, start: number, end: number): void {
    if (this.#earlyPackets.length < maxEarlyPackets && this.#state === state.open)
      this.#earlyPackets.push(Buffer.from(bytes.subarray(start, end)));
  }

  /** Returns buffered packets after new keys have become available. The host processes them as if they had just arrived. */
  takeEarlyPackets(): Buffer[] {
    const packets = this.#earlyPackets;
    if (packets.length > 0) this.#earlyPackets = [];
    return packets;
  }

  get hasEarlyPackets(): boolean {
    return this.#earlyPackets.length > 0;
  }

  #packet(
    of: PacketSpace,
    {
      bytes,
      start,
      numberAt,
      end,
      source,
    }: { bytes: Buffer; start: number; numberAt: number; end: number; source: Buffer },
    datagram: ReceivedDatagram,
  ): void {
    if (this.#state === state.over) return;
    this.#now = datagram.now;
    this.#from = datagram.address;
    if (this.#state !== state.open) {
      this.#receivedWhileClosing();
      return;
    }
    if (end - numberAt < 4 + tagLength) return;
    const number = this.#open(of, bytes, { start, numberAt, end });
    if (number < 0) return;
    if (!this.#reservedBitsAreZero(byteAt(bytes, start))) {
      this.#fail(new QuicError(transportError.protocolViolation, 'a packet has reserved bits set'));
      return;
    }
    if (of.acks.isDuplicate(number)) return;
    this.#space = of;
    try {
      this.#opened(of, number, source, datagram);
    } catch (error) {
      this.#fault(error);
    }
  }

  #reservedBitsAreZero(first: number): boolean {
    return (first & (this.#level === level.application ? 0x18 : 0x0c)) === 0;
  }

  /** Decrypts a packet in place. Returns the packet number, or -1 if decryption failed. */
  #open(
    of: PacketSpace,
    bytes: Buffer,
    { start, numberAt, end }: { start: number; numberAt: number; end: number },
  ): number {
    const application = this.#level === level.application ? this.keys : null;
    const any = this.#level === level.early ? this.#earlyKeys : (application?.open ?? of.open);
    if (any == null) return -1;
    const mask = any.header.mask(bytes, numberAt + 4);
    const first = byteAt(bytes, start) ^ (byteAt(mask, 0) & (application !== null ? 0x1f : 0x0f));
    const length = (first & 3) + 1;
    bytes[start] = first;
    let truncated = 0;
    for (let i = 0; i < length; i++) {
      const byte = byteAt(bytes, numberAt + i) ^ byteAt(mask, 1 + i);
      bytes[numberAt + i] = byte;
      truncated = truncated * 256 + byte;
    }
    const number = fullPacketNumber(truncated, length, of.acks.largest + 1);
    const keys = application === null ? any : application.keysFor((first >> 2) & 1, number);
    packetBytes.bytes = bytes;
    packetBytes.start = start;
    packetBytes.payload = numberAt + length;
    packetBytes.end = end - tagLength;
    if (keys === null || !keys.aead.open(number, packetBytes)) {
      this.log?.dropped(end - start, this.#now);
      this.#notOpened(any);
      return -1;
    }
    if (application !== null && keys !== application.open) application.opened(keys, number);
    return number;
  }

  #notOpened({ source }: Keys): void {
    this.#openFailures += 1;
    if (this.#openFailures > source.suite.integrityLimit)
      this.#fail(new QuicError(transportError.aeadLimitReached, 'too many packets failed authentication'));
  }

  #opened(of: PacketSpace, number: number, source: Buffer, datagram: ReceivedDatagram): void {
    const { now, codepoint, address } = datagram;
    // The peer selects its connection ID with its first packet (RFC 9000 §7.2).
    if (!this.isServer && of.which === space.initial && of.acks.largest < 0)
      this.peerIds.replaceFirst(Buffer.from(source));
    if (this.log !== null) this.#logReceived(this.log, of, number);
    reader.reset(packetBytes.bytes, packetBytes.payload, packetBytes.end);
    const isNewest = number > of.acks.largest;
    const content = readFrames(reader, this.#level, this);
    if (this.#state === state.over) return;
    of.acks.received(number, (content & packetContent.ackEliciting) !== 0, { now, codepoint });
    if (of.which === space.handshake && this.isServer) {
      // A Handshake packet validates the path. Only a peer that has received Initial packets can have Handshake keys (RFC 9001 §4.9.1, RFC
      // 9000 §8.1).
      this.path.validated = true;
      this.#discard(space.initial);
    }
    if (of.which === space.application)
      this.#checkPath(address, isNewest && (content & packetContent.nonProbing) !== 0);
    this.#sentSinceReceived = false;
    this.#setIdle(now);
    this.host.wake(this);
  }

  #logReceived(log: ConnectionLog, of: PacketSpace, number: number): void {
    const which = this.#level === level.early ? earlyPacket : of.which;
    const { bytes, start, payload, end } = packetBytes;
    const size = end + tagLength - start;
    log.packet('received', { which, number, size, bytes, start: payload, end }, this.#now);
  }

  /** Handles migration of the peer to another address (RFC 9000 §9). */
  #checkPath(address: PeerAddress, uses: boolean): void {
    if (address.key === this.path.address.key || !this.isServer || !this.confirmed) return;
    if (!uses) return;
    const isRebinding = address.host === this.path.address.host;
    const back = this.#formerPath?.address.key === address.key ? this.#formerPath : null;
    const before = this.path;
    this.path = back ?? new Path(address, false);
    this.log?.migrated(address, this.#now);
    // Count the datagram toward the new path. It was previously counted toward the old path.
    if (back === null) this.path.received = this.#datagramSize;
    if (before.validated) this.#formerPath = before;
    if (!isRebinding) {
      this.peerIds.change();
      this.recovery.resetPath(baseDatagram);
    }
    if (!this.path.validated) this.path.challenge(this.#now + 3 * this.recovery.rtt.probeTimeout);
  }

  /** Counts received bytes, which raise the amplification limit (RFC 9000 §8.1). */
  countReceived(bytes: number): void {
    this.#datagramSize = bytes;
    if (!this.path.validated) this.path.received += bytes;
  }

  // Frames

  onAck(ack: AckFrame): void {
    const of = this.#space;
    if (ack.largest >= of.next)
      throw new QuicError(transportError.protocolViolation, 'the peer acknowledged a packet that was never sent');
    const exponent = of.which === space.application ? this.peer.ackDelayExponent : 3;
    this.recovery.onAck(
      of.which,
      {
        largest: ack.largest,
        delay: of.which === space.initial ? 0 : (ack.delay * 2 ** exponent) / 1000,
        bounds: ack.bounds,
        ecn: ack.hasEcn ? ack : null,
      },
      this.#now,
    );
    this.log?.recovery(this.recovery, this.#now);
    this.host.wake(this);
  }

  onPing(): void {}

  onCrypto(offset: number, bytes: Buffer): void {
    const of = this.#space;
    const atLevel = this.#level;
    if (offset + bytes.length <= of.in.read && this.isServer && !this.complete) this.#repeatHandshake();
    let piece = of.in.add(offset, bytes);
    if (of.in.highest - of.in.read > maxCryptoKept || of.in.segments > maxCryptoSegments)
      throw new QuicError(transportError.cryptoBufferExceeded, 'too much out-of-order handshake data');
    while (piece !== null && this.#state === state.open) {
      this.#tls.receive(atLevel, piece);
      piece = of.in.shift();
    }
  }

  /**
   * Retransmits handshake data before its timeout expires (RFC 9002 §6.2.3). If a client repeats its data, it has probably not received the
   * server's data.
   */
  #repeatHandshake(): void {
    if (this.#repetitions >= maxRepetitions) return;
    this.#repetitions += 1;
    for (const which of [space.initial, space.handshake]) {
      if (this.spaces[which].discarded) continue;
      this.spaces[which].probes = Math.max(1, this.spaces[which].probes);
      for (const packet of this.recovery.spaces[which].sent)
        for (const frame of packet.frames) frame.owner.onFrameLost(frame);
    }
  }

  onStream(id: number, offset: number, bytes: Buffer, fin: boolean): void {
    const stream = this.streams.find(id, true);
    if (stream === null) return;
    const { at, end } = reader;
    this.streams.onData(stream, offset, bytes, fin);
    // Throws if a user's callback processes packets of another connection.
    if (reader.at !== at || reader.end !== end) throw new Error('datagrams were read within a stream callback');
    if (stream.in.segments > maxStreamSegments || this.streams.segments.value > maxSegments)
      throw new QuicError(transportError.internalError, 'too many gaps in the received stream data');
  }

  onResetStream(id: number, code: number, finalSize: number): void {
    const stream = this.streams.find(id, true);
    if (stream !== null) this.streams.onReset(stream, code, finalSize);
  }

  onStopSending(id: number, code: number): void {
    this.streams.find(id, false)?.stoppedByPeer(code);
  }

  onMaxData(limit: number): void {
    if (limit <= this.streams.sendLimit) return;
    this.streams.sendLimit = limit;
    this.streams.unblock();
  }

  onMaxStreamData(id: number, limit: number): void {
    const stream = this.streams.find(id, false);
    if (stream === null || limit <= stream.sendLimit) return;
    stream.sendLimit = limit;
    this.streams.ready(stream);
  }

  onMaxStreams(limit: number, bidirectional: boolean): void {
    const { streams } = this;
    if (limit <= (bidirectional ? streams.maxBidi : streams.maxUni)) return;
    if (bidirectional) streams.maxBidi = limit;
    else streams.maxUni = limit;
    this.#run(() => this.user.onStreamLimit());
  }

  onStreamDataBlocked(id: number): void {
    this.streams.find(id, true);
  }

  onNewConnectionId(sequence: number, retirePriorTo: number, id: Buffer, resetToken: Buffer): void {
    this.peerIds.add(sequence, retirePriorTo, id, resetToken);
  }

  onRetireConnectionId(sequence: number): void {
    this.localIds.retire(sequence, this.peer.activeConnectionIdLimit);
  }

  onNewToken(token: Buffer): void {
    if (this.isServer) throw new QuicError(transportError.protocolViolation, 'the client sent a NEW_TOKEN frame');
    this.token = Buffer.from(token);
  }

  onPathChallenge(data: Buffer): void {
    const from = this.#from;
    if (from === null || from.key === this.path.address.key) this.path.response = Buffer.from(data);
    else if (this.#strays.length < maxStrays)
      this.#strays.push({ data: Buffer.from(data), to: from, room: amplification * this.#datagramSize });
  }

  onPathResponse(data: Buffer): void {
    if (this.path.responded(data)) this.#formerPath = null;
  }

  onHandshakeDone(): void {
    if (this.isServer) throw new QuicError(transportError.protocolViolation, 'the client sent a HANDSHAKE_DONE frame');
    this.#confirm();
  }

  onDatagram(): void {
    throw new QuicError(
      transportError.protocolViolation,
      'received a DATAGRAM frame, but DATAGRAM frames were not negotiated',
    );
  }

  onClose(code: number, reason: string, application: boolean): void {
    if (this.#state !== state.open) return;
    this.#enter(state.draining, { code, reason, application, by: 'peer' });
  }

  // TLS

  onCryptoData(atLevel: number, bytes: Buffer): void {
    const of = this.spaces[itemAt(spaceOf, atLevel)];
    if (of.discarded) return;
    of.out.write(Buffer.from(bytes));
    this.host.wake(this);
  }

  onSecret(secret: {
    readonly level: number;
    readonly direction: 'read' | 'write';
    readonly suiteId: number;
    readonly bytes: Buffer;
  }): void {
    const suite = suiteOf(secret.suiteId);
    if (suite === null)
      throw new QuicError(transportError.internalError, 'TLS selected a cipher suite that QUIC does not support');
    if (secret.level === level.early && !this.isServer) return;
    const direction = secret.direction === 'read' ? 'open' : 'seal';
    const keys = Keys.of({ ciphers: this.host.ciphers, version: this.version, suite, direction }, secret.bytes);
    if (secret.level === level.early) this.#earlyKeys = keys;
    else if (secret.level === level.handshake) this.spaces[space.handshake][direction] = keys;
    else this.#applicationSecret(keys, direction);
  }

  /**
   * Stores a secret for 1-RTT keys. Secrets arrive one at a time, and keys are created when both are available. A server that accepted
   * early data sends responses before the handshake is complete.
   */
  #applicationSecret(keys: Keys, direction: 'open' | 'seal'): void {
    if (this.#earlyKeys !== null) {
      if (this.keys !== null) {
        this.keys.open = keys;
        return;
      }
      this.keys = new ApplicationKeys(null, keys);
      this.#run(() => this.user.onReady(this));
      return;
    }
    const other = this.#readSecret;
    if (other === null) {
      this.#readSecret = keys;
      return;
    }
    this.#readSecret = null;
    this.keys = direction === 'open' ? new ApplicationKeys(keys, other) : new ApplicationKeys(other, keys);
    this.#run(() => this.user.onReady(this));
  }

  onTransportParameters(bytes: Buffer): void {
    const peer = decodeTransportParameters(bytes, this.isServer ? 'client' : 'server');
    this.peer = peer;
    this.log?.parameters('remote', peer, this.#now);
    this.#checkIds(peer);
    this.streams.allow(peer);
    if (peer.statelessResetToken !== null) this.peerIds.firstResetToken = peer.statelessResetToken;
    const theirs = peer.maxIdleTimeout;
    if (theirs > 0) this.#idleTimeout = this.#idleTimeout > 0 ? Math.min(this.#idleTimeout, theirs) : theirs;
    const chosen = peer.versionInformation?.[0];
    if (chosen !== undefined && chosen !== this.version.number)
      throw new QuicError(transportError.versionNegotiationError, 'version negotiation mismatch');
  }

  /** Verifies the connection IDs used in the handshake against the authenticated parameters (RFC 9000 §7.3). */
  #checkIds(peer: TransportParameters): void {
    const wrong = (what: string): never => {
      throw new QuicError(transportError.transportParameterError, `${what} does not match the handshake packets`);
    };
    if (peer.initialSource === null || !peer.initialSource.equals(this.peerIds.id))
      wrong('initial_source_connection_id');
    if (this.isServer) return;
    const { originalDestination } = this.#start;
    if (peer.originalDestination === null || !peer.originalDestination.equals(originalDestination))
      wrong('original_destination_connection_id');
    const retried = this.#retrySource;
    const isSame = retried === null ? peer.retrySource === null : peer.retrySource?.equals(retried) === true;
    if (!isSame) wrong('retry_source_connection_id');
  }

  onAlert(alert: number, reason: string): void {
    throw new QuicError(transportError.cryptoError + alert, reason);
  }

  onComplete(): void {
    this.complete = true;
    // Discard the early data keys. The client retransmits late 0-RTT packets.
    this.#earlyKeys?.free(true);
    this.#earlyKeys = null;
    this.localIds.fill(this.peer.activeConnectionIdLimit);
    if (this.isServer) {
      this.controls.handshakeDone = true;
      this.controls.token = this.host.tokenFor(this.path.address);
      this.#confirm();
    }
    this.#run(() => this.user.onHandshakeComplete(this));
  }

  later(work: () => void): void {
    if (this.#state !== state.open) return;
    this.#now = this.host.now();
    try {
      work();
    } catch (error) {
      this.#fault(error);
    }
    this.host.wake(this);
  }

  #confirm(): void {
    if (this.confirmed) return;
    this.confirmed = true;
    this.#discard(space.initial);
    this.#discard(space.handshake);
    this.host.wake(this);
  }

  #discard(which: 0 | 1): void {
    const of = this.spaces[which];
    if (of.discarded) return;
    of.discard();
    this.recovery.discard(which);
  }

  #onStream(stream: QuicStream): void {
    this.#run(() => this.user.onStream(stream));
  }

  /** Calls the user. Exceptions are passed to the user and don't end the connection. */
  #run(call: () => void): void {
    try {
      call();
    } catch (error) {
      failOwner(this.user, error);
    }
  }

  // Loss recovery

  onPacketAcked(which: number, packet: SentPacket): void {
    if (packet.acked >= 0) this.spaces[which as 0 | 1 | 2].acks.reported(packet.acked);
    if (which === space.application) this.keys?.acked(packet.number);
    for (const frame of packet.frames) frame.owner.onFrameAcked(frame);
  }

  onPacketLost(which: number, packet: SentPacket): void {
    this.log?.lost(which, packet.number, this.host.now());
    for (const frame of packet.frames) frame.owner.onFrameLost(frame);
  }

  hasKeys(which: number): boolean {
    return which === space.application ? this.keys !== null : this.spaces[which as 0 | 1].seal !== null;
  }

  get mustProbe(): boolean {
    return !this.isServer && !this.confirmed && this.recovery.spaces[space.handshake].largestAcked < 0;
  }

  get amplificationLimited(): boolean {
    return this.path.amplificationRoom < 64;
  }

  get maxAckDelay(): number {
    return this.peer.maxAckDelay;
  }

  // Flush and timers

  /** Sends pending data. Called at the end of the event loop turn after {@link ConnectionHost.wake}. */
  flush(now: number): void {
    if (this.#state !== state.open || this.#flushing) return;
    this.#flushing = true;
    const before = this.recovery.congestion.inFlight;
    try {
      if (this.keys !== null) this.#updateWornKeys(this.keys);
      if (this.#strays.length > 0) this.#respondToStrays(now);
      let more = this.#sender.flush(now);
      // Notify users of free space. They may write more data, which is sent in the same event loop turn.
      for (let i = 0; i < maxRefills && this.streams.notifyRoom() && !more; i++) more = this.#sender.flush(now);
      if (more) this.host.wake(this);
    } finally {
      this.#flushing = false;
    }
    if (this.recovery.congestion.inFlight > before && !this.#sentSinceReceived) {
      this.#sentSinceReceived = true;
      this.#setIdle(now);
    }
    this.#schedule();
  }

  #respondToStrays(now: number): void {
    const strays = this.#strays;
    this.#strays = [];
    for (const { data, to, room } of strays) this.#sender.respond(data, to, { room, now });
  }

  #updateWornKeys(keys: ApplicationKeys): void {
    if (keys.seal.used > keys.seal.source.suite.confidentialityLimit * updateShare) this.updateKeys();
  }

  #schedule(): void {
    let next = Math.min(this.#idleAt, this.#endAt);
    if (this.#state === state.open) {
      next = Math.min(next, this.recovery.deadline(), this.#sender.paceDeadline, this.path.challengeDeadline);
      for (const { acks, discarded } of this.spaces) if (!discarded) next = Math.min(next, acks.deadline);
    }
    this.deadline = next;
    if (next !== never) this.host.watch(this, next);
  }

  #setIdle(now: number): void {
    const timeout = this.#idleTimeout;
    this.#idleAt = timeout > 0 ? now + Math.max(timeout, 3 * this.recovery.rtt.probeTimeout) : never;
  }

  /** Performs the work that is due once a deadline has passed. */
  expire(now: number): void {
    this.#now = now;
    if (this.#state !== state.open) {
      if (this.#endAt <= now) this.#over();
      return;
    }
    if (this.#idleAt <= now) {
      this.#ended({ code: transportError.noError, reason: 'idle timeout', application: false, by: 'timeout' });
      this.#over();
      return;
    }
    if (this.path.challengeDeadline <= now) this.#pathFailed();
    if (this.recovery.deadline() <= now) this.#probe(now);
    this.flush(now);
  }

  #probe(now: number): void {
    const which = this.recovery.onTimeout(now);
    this.log?.recovery(this.recovery, now);
    if (which < 0) return;
    const of = this.spaces[which as 0 | 1 | 2];
    of.probes = 2;
    // Probe with the oldest data, because it is most likely to have been lost.
    for (const packet of this.recovery.spaces[which as 0 | 1 | 2].sent) {
      if (!packet.ackEliciting) continue;
      for (const frame of packet.frames) frame.owner.onFrameLost(frame);
      break;
    }
  }

  /** Returns to the previous path because validation of the new address failed (RFC 9000 §9.3.2). */
  #pathFailed(): void {
    const former = this.#formerPath;
    this.#formerPath = null;
    if (former !== null) {
      this.path = former;
      return;
    }
    this.path.challengeDeadline = never;
    this.#fail(new QuicError(transportError.noViablePath, 'no usable network path to the peer'));
  }

  // Closing

  #fault(error: unknown): void {
    if (isQuicError(error)) this.#fail(error);
    else {
      failOwner(this.user, error);
      this.#fail(new QuicError(transportError.internalError, 'internal error'));
    }
  }

  #fail(error: QuicError): void {
    const { code, message, frameType, application } = error;
    this.#close({ code, reason: message, frameType, application });
  }

  #close(frame: CloseFrame): void {
    if (this.#state !== state.open) return;
    this.#now = this.host.now();
    this.#closeFrame = frame;
    this.#sender.close(frame, this.#now);
    this.#enter(state.closing, { code: frame.code, reason: frame.reason, application: frame.application, by: 'local' });
  }

  #receivedWhileClosing(): void {
    if (this.#state !== state.closing || this.#closeFrame === null) return;
    this.#closeReceived += 1;
    if (this.#closeReceived < this.#closeEvery) return;
    this.#closeReceived = 0;
    this.#closeEvery *= 2;
    this.#sender.close(this.#closeFrame, this.#now);
    this.host.wake(this);
  }

  /**
   * Enters the closing or draining state. The connection stays in this state for three probe timeouts, in order to recognize late packets
   * (RFC 9000 §10.2).
   */
  #enter(next: number, reason: CloseReason): void {
    this.#state = next;
    this.#endAt = this.#now + 3 * this.recovery.rtt.probeTimeout;
    this.#idleAt = never;
    this.#ended(reason);
    this.host.wake(this);
    this.#schedule();
  }

  /** Called when the peer has lost its connection state (RFC 9000 §10.3). */
  resetByPeer(): void {
    if (this.#state !== state.open) return;
    this.#enter(state.draining, { code: 0, reason: 'stateless reset', application: false, by: 'reset' });
  }

  #ended(reason: CloseReason): void {
    this.log?.closed(reason, this.host.now());
    this.streams.closeAll();
    this.#earlyPackets = [];
    this.#run(() => this.user.onClosed(reason));
  }

  /** Discards the connection without notifying the peer. */
  drop(): void {
    if (this.#state === state.over) return;
    if (this.#state === state.open)
      this.#ended({ code: transportError.noError, reason: 'dropped', application: false, by: 'local' });
    this.#over();
  }

  #over(): void {
    this.#state = state.over;
    this.deadline = never;
    for (const of of this.spaces) of.discard();
    this.keys?.free();
    this.#readSecret?.free(true);
    this.#earlyKeys?.free(true);
    this.#tls.free();
    this.localIds.retireAll();
    this.host.removed(this);
  }
}

/** Packet number space of each TLS encryption level. */
const spaceOf = [space.initial, space.application, space.handshake, space.application] as const;
