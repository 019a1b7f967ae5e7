/** Connection IDs of both sides (RFC 9000 §5.1). */
import { QuicError, transportError } from '../wire/error-code.ts';

/** Issues connection IDs and routes packets with these IDs. */
export interface IdIssuer {
  /** Issues a connection ID that routes packets to `owner`. Also returns its stateless reset token. */
  issue(owner: object): { readonly id: Buffer; readonly resetToken: Buffer };
  /** Stops routing packets with this connection ID. */
  retire(id: Buffer): void;
}

interface LocalId {
  readonly sequence: number;
  readonly id: Buffer;
  readonly resetToken: Buffer;
}

/** Maximum number of issued connection IDs, even if the peer accepts more. */
const maxIssued = 4;

/** Connection IDs that the peer uses as destinations. */
export class LocalIds {
  readonly #issuer: IdIssuer;
  readonly #owner: object;
  readonly #active = new Map<number, LocalId>();
  #next = 0;
  /** Sequence numbers of connection IDs whose NEW_CONNECTION_ID frames are unsent or were lost. */
  readonly unsent: number[] = [];

  constructor(issuer: IdIssuer, owner: object) {
    this.#issuer = issuer;
    this.#owner = owner;
  }

  /** Issues the first connection ID, which is sent in the handshake header. */
  first(): LocalId {
    return this.#add();
  }

  /** Issues connection IDs up to `limit`, the peer's `active_connection_id_limit`. */
  fill(limit: number): void {
    while (this.#active.size < Math.min(limit, maxIssued)) this.unsent.push(this.#add().sequence);
  }

  get(sequence: number): LocalId | undefined {
    return this.#active.get(sequence);
  }

  /** Called when the peer retires a connection ID. Throws if no such ID was issued. */
  retire(sequence: number, limit: number): void {
    if (sequence >= this.#next)
      throw new QuicError(
        transportError.protocolViolation,
        'RETIRE_CONNECTION_ID frame for a connection ID that was never issued',
      );
    const found = this.#active.get(sequence);
    if (found === undefined) return;
    this.#active.delete(sequence);
    this.#issuer.retire(found.id);
    this.fill(limit);
  }

  /** Called when a NEW_CONNECTION_ID frame was lost. Sends it again if the ID is still active. */
  lost(sequence: number): void {
    if (this.#active.has(sequence)) this.unsent.push(sequence);
  }

  retireAll(): void {
    for (const { id } of this.#active.values()) this.#issuer.retire(id);
    this.#active.clear();
  }

  #add(): LocalId {
    const issued = { sequence: this.#next++, ...this.#issuer.issue(this.#owner) };
    this.#active.set(issued.sequence, issued);
    return issued;
  }
}

interface PeerId {
  readonly sequence: number;
  readonly id: Buffer;
  resetToken: Buffer | null;
}

/** Advertised active_connection_id_limit. */
export const peerIdLimit = 4;
/** Maximum number of pending RETIRE_CONNECTION_ID frames. A larger number indicates an attack (RFC 9000 §5.1.2). */
const maxRetiring = 2 * peerIdLimit;

/** The peer's connection IDs, used as destinations of sent packets. */
export class PeerIds {
  #active: PeerId[];
  #current: PeerId;
  #retirePriorTo = 0;
  /** Sequence numbers of pending RETIRE_CONNECTION_ID frames. */
  readonly unsent: number[] = [];

  constructor(first: Buffer) {
    this.#current = { sequence: 0, id: first, resetToken: null };
    this.#active = [this.#current];
  }

  /** Current destination ID. */
  get id(): Buffer {
    return this.#current.id;
  }

  /** Replaces the first connection ID with the one in the peer's first packet or in a Retry packet. */
  replaceFirst(id: Buffer): void {
    this.#current = { sequence: 0, id, resetToken: null };
    this.#active = [this.#current];
  }

  set firstResetToken(token: Buffer) {
    const first = this.#active.find(({ sequence }) => sequence === 0);
    if (first !== undefined) first.resetToken = token;
  }

  /** Handles a NEW_CONNECTION_ID frame. */
  add(sequence: number, retirePriorTo: number, id: Buffer, resetToken: Buffer): void {
    if (this.#current.id.length === 0)
      throw new QuicError(
        transportError.protocolViolation,
        'NEW_CONNECTION_ID frame from a peer with zero-length connection IDs',
      );
    const known = this.#active.find((each) => each.sequence === sequence || each.id.equals(id));
    if (known !== undefined) {
      if (known.sequence !== sequence || !known.id.equals(id))
        throw new QuicError(transportError.protocolViolation, 'a connection ID was issued twice');
    } else if (sequence < this.#retirePriorTo) this.#retire(sequence);
    else this.#active.push({ sequence, id: Buffer.from(id), resetToken: Buffer.from(resetToken) });
    if (retirePriorTo > this.#retirePriorTo) this.#retireBefore(retirePriorTo);
    if (this.#active.length > peerIdLimit)
      throw new QuicError(transportError.connectionIdLimitError, 'the peer exceeded the connection ID limit');
  }

  /** Switches to an unused connection ID for a different path. Returns false if there is none. */
  change(): boolean {
    const fresh = this.#active.find(({ sequence }) => sequence > this.#current.sequence);
    if (fresh === undefined) return false;
    const { sequence } = this.#current;
    this.#active = this.#active.filter((each) => each !== this.#current);
    this.#current = fresh;
    this.#retire(sequence);
    return true;
  }

  /** Reports whether `token`, the last 16 bytes of a datagram, is a stateless reset token (RFC 9000 §10.3.1). */
  isReset(token: Buffer): boolean {
    return this.#active.some(({ resetToken }) => resetToken !== null && resetToken.equals(token));
  }

  #retireBefore(bound: number): void {
    this.#retirePriorTo = bound;
    for (const { sequence } of this.#active) if (sequence < bound) this.#retire(sequence);
    this.#active = this.#active.filter(({ sequence }) => sequence >= bound);
    if (this.#current.sequence >= bound) return;
    const first = this.#active[0];
    if (first === undefined)
      throw new QuicError(transportError.protocolViolation, 'the peer retired all connection IDs');
    this.#current = first;
  }

  #retire(sequence: number): void {
    this.unsent.push(sequence);
    if (this.unsent.length > maxRetiring)
      throw new QuicError(transportError.connectionIdLimitError, 'too many connection IDs were retired at once');
  }
}
