/** Connection-level control frames. They are retransmitted until they are acknowledged (RFC 9000 §13.3). */
import { SentFrame, type FrameOwner } from '../recovery/sent-packets.ts';
import { type ByteWriter, varintSize } from '../wire/byte-writer.ts';
import { frameType } from '../wire/frame-type.ts';
import type { LocalIds, PeerIds } from './connection-ids.ts';
import type { StreamSet } from './stream-set.ts';

const kind = {
  handshakeDone: 0,
  maxData: 1,
  maxBidi: 2,
  maxUni: 3,
  newId: 4,
  retireId: 5,
  newToken: 6,
  blocked: 7,
} as const;

export class Controls implements FrameOwner {
  readonly #streams: StreamSet;
  readonly #localIds: LocalIds;
  readonly #peerIds: PeerIds;
  readonly #wake: () => void;
  /** True if a HANDSHAKE_DONE frame is pending. */
  handshakeDone = false;
  /** Token of the pending NEW_TOKEN frame. */
  token: Buffer | null = null;
  #sentToken: Buffer | null = null;
  /** True if a DATA_BLOCKED frame is pending because connection flow control blocks streams. */
  blocked = false;

  constructor(parts: { streams: StreamSet; localIds: LocalIds; peerIds: PeerIds }, wake: () => void) {
    this.#streams = parts.streams;
    this.#localIds = parts.localIds;
    this.#peerIds = parts.peerIds;
    this.#wake = wake;
  }

  /** True if any control frame is pending. */
  get pending(): boolean {
    const streams = this.#streams;
    return (
      this.handshakeDone ||
      this.blocked ||
      this.token !== null ||
      streams.advertiseData ||
      streams.advertiseBidi ||
      streams.advertiseUni ||
      this.#localIds.unsent.length > 0 ||
      this.#peerIds.unsent.length > 0
    );
  }

  /** Writes the pending frames that fit into `room` bytes, and adds a record of each frame to `sent`. */
  write(writer: ByteWriter, room: number, sent: SentFrame[]): void {
    const end = writer.at + room;
    const streams = this.#streams;
    if (this.handshakeDone && writer.at < end) {
      this.handshakeDone = false;
      writer.uint8(frameType.handshakeDone);
      sent.push(this.#sent(kind.handshakeDone, 0));
    }
    if (streams.advertiseData && writer.at + 9 <= end) {
      streams.advertiseData = false;
      this.#integer(writer, frameType.maxData, streams.window.limit);
      sent.push(this.#sent(kind.maxData, 0));
    }
    if (streams.advertiseBidi && writer.at + 9 <= end) {
      streams.advertiseBidi = false;
      this.#integer(writer, frameType.maxStreamsBidi, streams.peerBidi.limit);
      sent.push(this.#sent(kind.maxBidi, 0));
    }
    if (streams.advertiseUni && writer.at + 9 <= end) {
      streams.advertiseUni = false;
      this.#integer(writer, frameType.maxStreamsUni, streams.peerUni.limit);
      sent.push(this.#sent(kind.maxUni, 0));
    }
    if (this.blocked && writer.at + 9 <= end) {
      this.blocked = false;
      this.#integer(writer, frameType.dataBlocked, streams.sendLimit);
      sent.push(this.#sent(kind.blocked, 0));
    }
    this.#writeIds(writer, end, sent);
    this.#writeToken(writer, end, sent);
  }

  #writeIds(writer: ByteWriter, end: number, sent: SentFrame[]): void {
    const { unsent } = this.#localIds;
    while (unsent.length > 0 && writer.at + 44 <= end) {
      const sequence = unsent.shift() as number;
      const issued = this.#localIds.get(sequence);
      if (issued === undefined) continue;
      this.#integer(writer, frameType.newConnectionId, sequence);
      writer.varint(0);
      writer.uint8(issued.id.length);
      writer.all(issued.id);
      writer.all(issued.resetToken);
      sent.push(this.#sent(kind.newId, sequence));
    }
    const retired = this.#peerIds.unsent;
    while (retired.length > 0 && writer.at + 9 <= end) {
      const sequence = retired.shift() as number;
      this.#integer(writer, frameType.retireConnectionId, sequence);
      sent.push(this.#sent(kind.retireId, sequence));
    }
  }

  #writeToken(writer: ByteWriter, end: number, sent: SentFrame[]): void {
    const { token } = this;
    if (token === null || writer.at + 1 + varintSize(token.length) + token.length > end) return;
    this.token = null;
    this.#sentToken = token;
    writer.uint8(frameType.newToken);
    writer.varint(token.length);
    writer.all(token);
    sent.push(this.#sent(kind.newToken, 0));
  }

  #integer(writer: ByteWriter, type: number, value: number): void {
    writer.uint8(type);
    writer.varint(value);
  }

  #sent(which: number, offset: number): SentFrame {
    return new SentFrame(this, which, { offset, length: 0, fin: false });
  }

  onFrameAcked({ kind: which }: SentFrame): void {
    if (which === kind.newToken) this.#sentToken = null;
  }

  onFrameLost({ kind: which, offset }: SentFrame): void {
    switch (which) {
      case kind.handshakeDone:
        this.handshakeDone = true;
        break;
      case kind.maxData:
        this.#streams.advertiseData = true;
        break;
      case kind.maxBidi:
        this.#streams.advertiseBidi = true;
        break;
      case kind.maxUni:
        this.#streams.advertiseUni = true;
        break;
      case kind.newId:
        this.#localIds.lost(offset);
        break;
      case kind.retireId:
        this.#peerIds.unsent.push(offset);
        break;
      case kind.newToken:
        this.token = this.#sentToken;
        break;
      default:
        // If the limit still blocks the streams, DATA_BLOCKED is sent again automatically.
        break;
    }
    this.#wake();
  }
}
