/** Sends pending data. Selects the frames of each datagram within the limits of the path, congestion control, and pacing. */
import { numberAt } from '@sluice/base';
import { space, type Recovery } from '../recovery/recovery.ts';
import { SentFrame, type FrameOwner } from '../recovery/sent-packets.ts';
import { pendingFrame, type QuicStream } from '../streams/stream.ts';
import { varintSize } from '../wire/byte-writer.ts';
import { transportError } from '../wire/error-code.ts';
import type { PeerAddress } from '../wire/address.ts';
import { frameType, streamBit } from '../wire/frame-type.ts';
import { minInitialDatagram } from '../wire/packet-header.ts';
import { packetType, type Version } from '../wire/version.ts';
import { ecn } from './ack-tracker.ts';
import type { ApplicationKeys } from './application-keys.ts';
import type { PeerIds } from './connection-ids.ts';
import type { ConnectionLog } from './connection-log.ts';
import type { Controls } from './controls.ts';
import type { DatagramOutput } from './datagram-output.ts';
import { PacketBuilder, type PacketHead } from './packet-builder.ts';
import type { PacketSpace } from './packet-space.ts';
import type { Path } from './path.ts';
import type { StreamSet } from './stream-set.ts';

/** Connection properties that the sender uses. */
export interface SenderHost {
  readonly isServer: boolean;
  readonly version: Version;
  readonly output: DatagramOutput;
  readonly path: Path;
  readonly spaces: readonly [PacketSpace, PacketSpace, PacketSpace];
  readonly keys: ApplicationKeys | null;
  readonly recovery: Recovery;
  readonly streams: StreamSet;
  readonly controls: Controls;
  readonly peerIds: PeerIds;
  /** Source connection ID for long headers. */
  readonly sourceId: Buffer;
  /** Token for a client's Initial packets, from a Retry packet or a NEW_TOKEN frame. */
  readonly token: Buffer;
  /** The peer's max_udp_payload_size. */
  readonly maxPayload: number;
  /** True if the handshake is confirmed. */
  readonly confirmed: boolean;
  readonly log: ConnectionLog | null;
}

/** Content of CONNECTION_CLOSE. */
export interface CloseFrame {
  readonly code: number;
  readonly reason: string;
  readonly frameType: number;
  readonly application: boolean;
}

const nothing = Buffer.alloc(0);
/** Minimum number of free bytes for starting a STREAM frame. */
const minStreamRoom = 64;
/** Maximum number of datagrams per flush, for fairness between connections. */
const maxBurst = 64;
const builder = new PacketBuilder();

export class Sender {
  readonly #host: SenderHost;
  /** Time at which pacing allows the next datagram, in milliseconds. `Infinity` if pacing doesn't delay datagrams. */
  paceDeadline: number = Number.POSITIVE_INFINITY;
  readonly #probeOwner: FrameOwner;

  constructor(host: SenderHost) {
    this.#host = host;
    this.#probeOwner = {
      onFrameAcked: () => this.#host.path.probeAcked(),
      onFrameLost: () => this.#host.path.probeLost(),
    };
  }

  /**
   * Responds to a path challenge on a path other than the active one (RFC 9000 §8.2.2). `room` is the number of bytes that may be sent to
   * an unvalidated address.
   */
  respond(data: Buffer, to: PeerAddress, { room, now }: { readonly room: number; readonly now: number }): void {
    const { output, spaces, keys } = this.#host;
    const of = spaces[space.application];
    const size = Math.min(minInitialDatagram, room);
    if (keys === null || size < 64) return;
    const start = output.begin(size, to, this.#codepoint);
    if (!builder.begin(output.bytes, start, start + size, this.#head(of))) return;
    builder.writer.uint8(frameType.pathResponse);
    builder.writer.all(data);
    builder.ackEliciting = true;
    builder.padTo(start + size);
    output.commit(this.#seal(of, now) - start);
  }

  /** Sends everything that may be sent now. Returns true if the burst limit was reached. */
  flush(now: number): boolean {
    this.paceDeadline = Number.POSITIVE_INFINITY;
    for (let i = 0; i < maxBurst; i++) if (!this.#datagram(now)) return false;
    return true;
  }

  /** Sends a datagram. Returns false if there is nothing to send or nothing may be sent. */
  #datagram(now: number): boolean {
    const { path, spaces, output } = this.#host;
    const size = Math.min(path.datagram, path.amplificationRoom);
    if (size < 64) return false;
    const budget = this.#budget(now, path.datagram);
    const probe = budget >= path.datagram ? this.#mtuProbe() : 0;
    // Send the MTU probe before pending data. Long transfers benefit most from larger datagrams.
    if (probe > 0) return this.#sendProbe(probe, now);
    if (!this.#hasWork(spaces[space.initial], budget, now) && !this.#hasWork(spaces[space.handshake], budget, now)) {
      if (!this.#hasWork(spaces[space.application], budget, now)) return false;
    }
    const start = output.begin(size, path.address, this.#codepoint);
    const end = this.#packets(start, start + size, { budget, now });
    if (end === start) return false;
    output.commit(end - start);
    path.sent += end - start;
    return true;
  }

  /** Returns the number of bytes that congestion control and pacing allow in flight now. */
  #budget(now: number, datagram: number): number {
    const { congestion, pacer, rtt } = this.#host.recovery;
    const { room } = congestion;
    if (room < datagram) return 0;
    if (pacer.credit(now, congestion, rtt, datagram) >= datagram) return room;
    this.paceDeadline = now + pacer.delay(datagram, congestion, rtt);
    return 0;
  }

  /** Reports whether there is anything to send in a packet number space. `budget` is the number of bytes that may be in flight. */
  #hasWork(of: PacketSpace, budget: number, now: number): boolean {
    if (!this.#hasKeys(of)) return false;
    if (of.probes > 0 || of.acks.deadline <= now) return true;
    return budget > 0 && this.#hasData(of);
  }

  #hasKeys({ which, seal }: PacketSpace): boolean {
    return which === space.application ? this.#host.keys !== null : seal !== null;
  }

  #hasData(of: PacketSpace): boolean {
    if (of.hasCrypto) return true;
    if (of.which !== space.application) return false;
    const { controls, path, streams } = this.#host;
    return controls.pending || path.challengeUnsent || path.response !== null || streams.hasReady;
  }

  /** Writes the packets of a datagram. Returns the end offset of the last packet. */
  #packets(start: number, limit: number, { budget, now }: { budget: number; now: number }): number {
    const { spaces, isServer } = this.#host;
    let at = start;
    let mustPad = false;
    for (const of of spaces) {
      if (!this.#hasWork(of, budget, now)) continue;
      if (!builder.begin(this.#host.output.bytes, at, limit, this.#head(of))) break;
      const mayElicit = budget > 0 || of.probes > 0;
      this.#frames(of, mayElicit, now);
      if (builder.empty) continue;
      // Pad a client's datagrams if they contain Initial packets. Pad a server's datagrams if those packets are ack-eliciting (RFC 9000
      // §14.1).
      if (of.which === space.initial && (!isServer || builder.ackEliciting)) mustPad = true;
      // Pad the datagram, because path validation must verify this datagram size (RFC 9000 §8.2.1, §8.2.2).
      if (builder.validatesPath) mustPad = true;
      const isLast = !this.#hasMoreWork(of.which, budget, now) || limit - builder.writer.at < 128;
      if (mustPad && isLast) builder.padTo(Math.min(limit, start + minInitialDatagram));
      at = this.#seal(of, now);
      if (isLast) break;
    }
    return at;
  }

  /** ECN bits of sent datagrams: ECT(0) while the path supports ECN. */
  get #codepoint(): number {
    return this.#host.recovery.ecn.marks ? ecn.ect0 : ecn.notEct;
  }

  #hasMoreWork(which: number, budget: number, now: number): boolean {
    return this.#host.spaces.some((of) => of.which > which && this.#hasWork(of, budget, now));
  }

  #seal(of: PacketSpace, now: number, mtuProbe = false): number {
    const { recovery, keys, log } = this.#host;
    const sealing = of.which === space.application ? (keys as ApplicationKeys).seal : of.seal;
    if (sealing === null) throw new Error('a packet cannot be encrypted without keys');
    if (log !== null) builder.log(log, of.which, now);
    const end = builder.seal(sealing);
    const packet = builder.record(now, end, { inFlight: builder.ackEliciting, mtuProbe });
    packet.limited = recovery.congestion.room < 2 * this.#host.path.datagram || this.#host.streams.hasReady;
    packet.marked = this.#codepoint !== ecn.notEct;
    recovery.onSent(of.which, packet);
    of.next += 1;
    if (builder.ackEliciting && of.probes > 0) of.probes -= 1;
    return end;
  }

  #head(of: PacketSpace): PacketHead {
    const { version, peerIds, sourceId, token, keys, recovery } = this.#host;
    return {
      version,
      type: numberAt(longTypes, of.which),
      destination: peerIds.id,
      source: sourceId,
      token: of.which === space.initial ? token : nothing,
      phase: keys?.sealPhase ?? 0,
      number: of.next,
      acked: recovery.spaces[of.which as 0 | 1 | 2].largestAcked,
    };
  }

  #frames(of: PacketSpace, mayElicit: boolean, now: number): void {
    const { writer } = builder;
    if (of.acks.pending) {
      const acked = of.acks.write(writer, builder.room, now);
      if (acked >= 0) builder.acked = acked;
    }
    if (!mayElicit) return;
    const start = writer.at;
    if (of.hasCrypto) this.#crypto(of);
    if (of.which === space.application) this.#application();
    if (of.probes > 0 && writer.at === start) writer.uint8(frameType.ping);
    if (writer.at > start) builder.ackEliciting = true;
  }

  #crypto(of: PacketSpace): void {
    const { writer, frames } = builder;
    while (of.hasCrypto && builder.room >= 16) {
      const { out } = of;
      const offset = out.next;
      const length = Math.min(out.available, builder.room - 1 - varintSize(offset) - 2);
      writer.uint8(frameType.crypto);
      writer.varint(offset);
      writer.varint(length);
      out.send(writer, length);
      frames.push(new SentFrame(of, 0, { offset, length, fin: false }));
    }
  }

  #application(): void {
    const { path, controls } = this.#host;
    const { writer, frames } = builder;
    if (path.response !== null && builder.room >= 9) {
      writer.uint8(frameType.pathResponse);
      writer.all(path.response);
      path.response = null;
      builder.validatesPath = true;
    }
    if (path.challengeUnsent && path.challengeData !== null && builder.room >= 9) {
      writer.uint8(frameType.pathChallenge);
      writer.all(path.challengeData);
      path.challengeUnsent = false;
      builder.validatesPath = true;
      frames.push(new SentFrame(path, 0, { offset: 0, length: 0, fin: false }));
    }
    if (controls.pending) controls.write(writer, builder.room, frames);
    this.#streams();
  }

  #streams(): void {
    const { streams } = this.#host;
    while (builder.room >= minStreamRoom) {
      const stream = streams.take();
      if (stream === null) return;
      this.#stream(stream);
      if (stream.closed || stream.queued) continue;
      if (stream.pending !== 0 || stream.canSend(streams.sendLimit - streams.sent)) streams.putBack(stream);
      else if (stream.canSend(1)) this.#host.controls.blocked = true;
    }
  }

  #stream(stream: QuicStream): void {
    const { writer, frames } = builder;
    if (stream.isBlocked) stream.pending |= pendingFrame.blocked;
    if (stream.pending !== 0) this.#streamControls(stream);
    const { streams } = this.#host;
    const { out } = stream;
    if (!stream.canSend(streams.sendLimit - streams.sent)) return;
    const offset = out.next;
    const header = 1 + varintSize(stream.id) + (offset > 0 ? varintSize(offset) : 0) + 2;
    let length = Math.min(out.available, builder.room - header);
    if (length < 0 || builder.room < header) return;
    if (!out.hasLost) {
      length = Math.min(length, stream.sendLimit - out.sent, streams.sendLimit - streams.sent);
      streams.sent += length;
    }
    const fin = stream.hasFin && offset + length === out.written;
    if (length === 0 && !fin) return;
    writer.uint8(frameType.stream | streamBit.length | (offset > 0 ? streamBit.offset : 0) | (fin ? streamBit.fin : 0));
    writer.varint(stream.id);
    if (offset > 0) writer.varint(offset);
    // Write the length as a two-byte integer. Space for it was reserved above.
    writer.varint2(length, writer.at);
    writer.at += 2;
    if (length > 0) out.send(writer, length);
    frames.push(stream.sentData(offset, length, fin));
  }

  #streamControls(stream: QuicStream): void {
    const { writer, frames } = builder;
    if ((stream.pending & pendingFrame.reset) !== 0 && builder.room >= 25) {
      writer.uint8(frameType.resetStream);
      writer.varint(stream.id);
      writer.varint(stream.resetCode);
      writer.varint(stream.out.sent);
      frames.push(stream.sentControl(pendingFrame.reset));
    }
    if ((stream.pending & pendingFrame.stopSending) !== 0 && builder.room >= 17) {
      writer.uint8(frameType.stopSending);
      writer.varint(stream.id);
      writer.varint(stream.stopCode);
      frames.push(stream.sentControl(pendingFrame.stopSending));
    }
    if ((stream.pending & pendingFrame.maxData) !== 0 && builder.room >= 17) {
      writer.uint8(frameType.maxStreamData);
      writer.varint(stream.id);
      writer.varint(stream.window.limit);
      frames.push(stream.sentControl(pendingFrame.maxData));
    }
    if ((stream.pending & pendingFrame.blocked) !== 0 && builder.room >= 17) {
      writer.uint8(frameType.streamDataBlocked);
      writer.varint(stream.id);
      writer.varint(stream.sendLimit);
      frames.push(stream.sentControl(pendingFrame.blocked));
    }
  }

  // MTU probes (RFC 9000 §14.3)

  #mtuProbe(): number {
    const { path, confirmed, maxPayload } = this.#host;
    return confirmed ? path.nextProbe(maxPayload) : 0;
  }

  #sendProbe(size: number, now: number): boolean {
    const { output, path, spaces } = this.#host;
    const of = spaces[space.application];
    const start = output.begin(size, path.address, this.#codepoint);
    if (!builder.begin(output.bytes, start, start + size, this.#head(of))) return false;
    builder.writer.uint8(frameType.ping);
    builder.ackEliciting = true;
    builder.frames.push(new SentFrame(this.#probeOwner, 0, { offset: 0, length: 0, fin: false }));
    builder.padTo(start + size);
    const end = this.#seal(of, now, true);
    path.probeSent();
    output.commit(end - start);
    return true;
  }

  /** Sends CONNECTION_CLOSE in every packet number space whose packets the peer may be able to decrypt (RFC 9000 §10.2.3). */
  close(frame: CloseFrame, now: number): void {
    const { output, path, spaces, confirmed, isServer, log } = this.#host;
    const size = Math.min(path.datagram, path.amplificationRoom);
    if (size < 64) return;
    const usable = spaces.filter((of) => this.#hasKeys(of) && (!confirmed || of.which === space.application));
    if (usable.length === 0) return;
    const start = output.begin(size, path.address, 0);
    let at = start;
    for (const of of usable) {
      if (!builder.begin(output.bytes, at, start + size, this.#head(of))) break;
      this.#closeFrame(of.which, frame);
      const mustPad = spaces[space.initial].seal !== null && !confirmed && !isServer;
      if (mustPad && of === usable.at(-1)) builder.padTo(start + Math.min(size, minInitialDatagram));
      const sealing = of.which === space.application ? this.#host.keys?.seal : of.seal;
      if (sealing == null) break;
      if (log !== null) builder.log(log, of.which, now);
      at = builder.seal(sealing);
      of.next += 1;
    }
    if (at === start) return;
    output.commit(at - start);
    path.sent += at - start;
  }

  #closeFrame(which: number, { code, reason, frameType: type, application }: CloseFrame): void {
    const { writer } = builder;
    // Application errors must not be sent in packets that any observer can decrypt (RFC 9000 §10.2.3).
    const hidden = application && which !== space.application;
    const text = Buffer.from(hidden ? '' : reason).subarray(0, Math.max(0, builder.room - 32));
    writer.uint8(application && !hidden ? frameType.closeApplication : frameType.close);
    writer.varint(hidden ? transportError.applicationError : code);
    if (!application || hidden) writer.varint(hidden ? 0 : type);
    writer.varint(text.length);
    writer.all(text);
  }
}

/** Packet type of each packet number space; -1 means a short header. */
const longTypes: readonly number[] = [packetType.initial, packetType.handshake, -1];
