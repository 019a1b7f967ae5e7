/**
 * How long the client of one HTTP/1.1 connection may still take: for a head, for a body, to take a response. The timeouts
 * and paces of the server's limits become moments here; the earliest of them is when the host's timer looks again.
 */
import type { Duplex } from 'node:stream';
import type { PaceRule } from '../../exchange/pace-rule.ts';
import type { EngineHost } from '../engine-host.ts';
import { Pace } from '../pace.ts';
import { queuedBytes } from '../queued-bytes.ts';
import type { ServerLimits } from '../server-handle.ts';

const never = Number.POSITIVE_INFINITY;
/** A client whose body is not read is looked at so often, in milliseconds. */
const paceOfProbes = 1000;

/** No deadline has passed; one that was set before has moved on. */
export const inTime = 0;
/** The client has sent nothing, or too little. */
const sendsTooLate = 1;
/** The client has taken nothing of a response, or too little, or the whole response took too long. */
export const takesTooLong = 2;

/** The deadlines of a connection; owned and called by it alone. Times in milliseconds of `performance.now()`. */
export class ClientDeadlines {
  /** The earliest of all; Infinity for none. */
  next = never;
  readonly #host: EngineHost;
  readonly #socket: Duplex;
  #read = never;
  #write = never;
  /** When to look whether the client is there still, of which nothing is read. */
  #probe = never;
  /** Of a client that sends a body, and of one that takes a response; `null` before there was any. */
  #bodyPace: Pace | null = null;
  #responsePace: Pace | null = null;
  /** Bytes that the system had not taken when they were last looked at. */
  #queued: number | null = null;

  constructor(host: EngineHost, socket: Duplex) {
    this.#host = host;
    this.#socket = socket;
  }

  /** Something has to be read within so many milliseconds; 0: no limit. */
  read(timeout: number, now: number): void {
    this.#read = timeout > 0 ? now + timeout : never;
    this.#changed();
  }

  /** What is read next has no limit. */
  readAnyTime(): void {
    if (this.#read === never) return;
    this.#read = never;
    this.#changed();
  }

  /** An exchange begins. */
  begin(limits: ServerLimits, now: number, hasBody: boolean): void {
    this.#read = never;
    if (hasBody) {
      this.#bodyPace = restarted(this.#bodyPace, limits.readPace);
      if (limits.readTimeout > 0) this.#read = now + limits.readTimeout;
    }
    this.#responsePace?.follow(limits.writePace);
    if (limits.writeTimeout > 0) this.#write = now + limits.writeTimeout;
    this.#changed();
  }

  /** The response is written. */
  responded(): void {
    if (this.#write === never) return;
    this.#write = never;
    this.#changed();
  }

  /** The response may take no longer than this. */
  writeUntil(deadline: number): void {
    if (deadline >= this.#write) return;
    this.#write = deadline;
    this.#changed();
  }

  /** A handler sets the pace of one direction for the rest of an exchange. */
  setPace(of: 'body' | 'response', rule: PaceRule): void {
    if (of === 'response') this.#responsePace = restarted(this.#responsePace, rule);
    else this.#bodyPace?.follow(rule);
    this.#changed();
  }

  /** Whether a body has a pace, so that its progress has to be told. */
  get pacesBody(): boolean {
    return this.#bodyPace !== null;
  }

  /** A handler reads the body: the client has to send it. */
  awaitBody(now: number): void {
    if (this.#bodyPace === null) return;
    this.#bodyPace.wait(now);
    this.#changed();
  }

  /** Bytes of the body came; `flowing`: whoever reads it wants more. */
  bodyMoved(now: number, bytes: number, flowing: boolean): void {
    const pace = this.#bodyPace;
    if (pace === null) return;
    pace.moved(now, bytes);
    if (flowing) pace.wait(now);
    else pace.rest(now);
    this.#changed();
  }

  /** Nothing is read of the client from now on: it is looked at after a while. */
  probeLater(now: number): void {
    if (this.#probe !== never) return;
    this.#probe = now + paceOfProbes;
    this.#changed();
  }

  /** Whether it is time to look at the client. */
  isProbeDue(now: number): boolean {
    if (this.#probe > now) return false;
    this.#probe = never;
    return true;
  }

  bodyCame(now: number): void {
    this.#bodyPace?.rest(now);
  }

  /** Input is thrown away from now on, and may take any time. */
  ignoreInput(): void {
    this.#bodyPace = null;
    this.#read = never;
    this.#changed();
  }

  /** Bytes of a response of `size` bytes wait for the client to take them. */
  awaitRoom(now: number, size: number): void {
    this.#responsePace ??= new Pace(this.#host.target.limits.writePace);
    const pending = this.#socket.writableLength;
    this.#queued = queuedBytes(this.#socket);
    const sent = Math.max(0, size - pending);
    this.#responsePace.waitForRoom(now, sent, this.#queued === null ? pending : 0);
    this.#changed();
  }

  /** The client has taken what was pending. */
  roomCame(now: number): void {
    this.#responsePace?.rest(now);
  }

  /** No response is sent any more. */
  forgetResponse(): void {
    this.#responsePace = null;
  }

  /** The socket is closed, or another part has it. */
  forget(): void {
    this.next = this.#read = this.#write = this.#probe = never;
    this.#bodyPace = this.#responsePace = null;
  }

  /** Tells which kind of deadline has passed. */
  passed(now: number): typeof inTime | typeof sendsTooLate | typeof takesTooLong {
    if (this.#write <= now || this.#isTakenTooSlowly(now)) return takesTooLong;
    if (this.#read > now && (this.#bodyPace === null || this.#bodyPace.deadline > now)) {
      this.#changed();
      return inTime;
    }
    this.ignoreInput();
    return sendsTooLate;
  }

  /** Whether the client takes no bytes of a response, or too few. */
  #isTakenTooSlowly(now: number): boolean {
    const pace = this.#responsePace;
    if (pace === null || pace.deadline > now) return false;
    const queued = queuedBytes(this.#socket);
    if (queued !== this.#queued) pace.moved(now, 0);
    this.#queued = queued;
    return pace.deadline <= now;
  }

  #changed(): void {
    let next = this.#read < this.#write ? this.#read : this.#write;
    if (this.#bodyPace !== null && this.#bodyPace.deadline < next) next = this.#bodyPace.deadline;
    if (this.#responsePace !== null && this.#responsePace.deadline < next) next = this.#responsePace.deadline;
    if (this.#probe < next) next = this.#probe;
    this.next = next;
    if (next !== never) this.#host.watch(next);
  }
}

function restarted(pace: Pace | null, rule: PaceRule): Pace {
  if (pace === null) return new Pace(rule);
  pace.follow(rule);
  return pace;
}
