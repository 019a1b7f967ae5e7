/** Connection ids (RFC 9000 §5.1): those that the peer uses for us, and those that we use for the peer. */
import { QuicError, transportError } from '../wire/error-code.ts';

/** What issues ids, and routes the packets that carry them. */
export interface IdIssuer {
  /** A new id that leads to `owner`, and its stateless reset token. */
  issue(owner: object): { readonly id: Buffer; readonly resetToken: Buffer };
  /** Packets with the id lead nowhere from now on. */
  retire(id: Buffer): void;
}

interface LocalId {
  readonly sequence: number;
  readonly id: Buffer;
  readonly resetToken: Buffer;
}

/** Ids that we issue at most, however many the peer would keep. */
const maxIssued = 4;

/** The ids that the peer puts into its packets. */
export class LocalIds {
  readonly #issuer: IdIssuer;
  readonly #owner: object;
  readonly #active = new Map<number, LocalId>();
  #next = 0;
  /** Not yet sent in a NEW_CONNECTION_ID frame, or lost: sequence numbers. */
  readonly unsent: number[] = [];

  constructor(issuer: IdIssuer, owner: object) {
    this.#issuer = issuer;
    this.#owner = owner;
  }

  /** Issues the first id, which travels in the header of the handshake. */
  first(): LocalId {
    return this.#add();
  }

  /** Has as many ids as the peer keeps; `limit`: its active_connection_id_limit. */
  fill(limit: number): void {
    while (this.#active.size < Math.min(limit, maxIssued)) this.unsent.push(this.#add().sequence);
  }

  get(sequence: number): LocalId | undefined {
    return this.#active.get(sequence);
  }

  /** The peer uses the id no more. Throws for one that was never issued. */
  retire(sequence: number, limit: number): void {
    if (sequence >= this.#next)
      throw new QuicError(transportError.protocolViolation, 'RETIRE_CONNECTION_ID for an ID that was never issued');
    const found = this.#active.get(sequence);
    if (found === undefined) return;
    this.#active.delete(sequence);
    this.#issuer.retire(found.id);
    this.fill(limit);
  }

  /** The frame was lost: sent again if the id is still there. */
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

/** Our active_connection_id_limit. */
export const peerIdLimit = 4;
/** RETIRE_CONNECTION_ID frames that may wait: more is an attack (RFC 9000 §5.1.2). */
const maxRetiring = 2 * peerIdLimit;

/** The ids that we put into packets to the peer. */
export class PeerIds {
  #active: PeerId[];
  #current: PeerId;
  #retirePriorTo = 0;
  /** To be sent in RETIRE_CONNECTION_ID frames: sequence numbers. */
  readonly unsent: number[] = [];

  constructor(first: Buffer) {
    this.#current = { sequence: 0, id: first, resetToken: null };
    this.#active = [this.#current];
  }

  /** The id for packets. */
  get id(): Buffer {
    return this.#current.id;
  }

  /** The peer has chosen another first id: that of its first packet, or of a Retry. */
  replaceFirst(id: Buffer): void {
    this.#current = { sequence: 0, id, resetToken: null };
    this.#active = [this.#current];
  }

  set firstResetToken(token: Buffer) {
    const first = this.#active.find(({ sequence }) => sequence === 0);
    if (first !== undefined) first.resetToken = token;
  }

  /** Takes a NEW_CONNECTION_ID frame. */
  add(sequence: number, retirePriorTo: number, id: Buffer, resetToken: Buffer): void {
    if (this.#current.id.length === 0)
      throw new QuicError(
        transportError.protocolViolation,
        'NEW_CONNECTION_ID from a peer with zero-length connection IDs',
      );
    const known = this.#active.find((each) => each.sequence === sequence || each.id.equals(id));
    if (known !== undefined) {
      if (known.sequence !== sequence || !known.id.equals(id))
        throw new QuicError(transportError.protocolViolation, 'connection ID was issued twice');
    } else if (sequence < this.#retirePriorTo) this.#retire(sequence);
    else this.#active.push({ sequence, id: Buffer.from(id), resetToken: Buffer.from(resetToken) });
    if (retirePriorTo > this.#retirePriorTo) this.#retireBefore(retirePriorTo);
    if (this.#active.length > peerIdLimit)
      throw new QuicError(transportError.connectionIdLimitError, 'peer exceeded the connection ID limit');
  }

  /** Uses an id that was not used on another path. Returns false if the peer has issued none. */
  change(): boolean {
    const fresh = this.#active.find(({ sequence }) => sequence > this.#current.sequence);
    if (fresh === undefined) return false;
    const { sequence } = this.#current;
    this.#active = this.#active.filter((each) => each !== this.#current);
    this.#current = fresh;
    this.#retire(sequence);
    return true;
  }

  /** Whether a datagram that ends in these 16 bytes is a stateless reset (RFC 9000 §10.3.1). */
  isReset(token: Buffer): boolean {
    return this.#active.some(({ resetToken }) => resetToken !== null && resetToken.equals(token));
  }

  #retireBefore(bound: number): void {
    this.#retirePriorTo = bound;
    for (const { sequence } of this.#active) if (sequence < bound) this.#retire(sequence);
    this.#active = this.#active.filter(({ sequence }) => sequence >= bound);
    if (this.#current.sequence >= bound) return;
    const first = this.#active[0];
    if (first === undefined) throw new QuicError(transportError.protocolViolation, 'all connection IDs are retired');
    this.#current = first;
  }

  #retire(sequence: number): void {
    this.unsent.push(sequence);
    if (this.unsent.length > maxRetiring)
      throw new QuicError(transportError.connectionIdLimitError, 'too many connection IDs were retired at once');
  }
}
