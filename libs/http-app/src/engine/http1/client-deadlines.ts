/**
 * Deadlines for the client of an HTTP/1.1 connection: for sending request headers or a body, and for receiving a response. The server's
 * timeouts and minimum transfer rates determine these deadlines. The timer of the connection host checks the earliest deadline.
 */
import type { Duplex } from 'node:stream';
import type { PaceRule } from '../../exchange/pace-rule.ts';
import type { EngineHost } from '../engine-host.ts';
import { Pace } from '../pace.ts';
import { queuedBytes } from '../queued-bytes.ts';
import type { ServerLimits } from '../server-handle.ts';

const never = Number.POSITIVE_INFINITY;
/** Interval for checking the connection while the server does not read the request body, in milliseconds. */
const paceOfProbes = 1000;

/** No deadline has passed, because the earliest deadline was postponed. */
export const inTime = 0;
/** The client did not send any data before the timeout, or is sending too slowly. */
const sendsTooLate = 1;
/** The client receives the response too slowly, or the entire response took too long. */
export const takesTooLong = 2;

/** Deadlines of an HTTP/1.1 connection. Only the connection calls this class. Times are `performance.now()` timestamps. */
export class ClientDeadlines {
  /** Earliest deadline. `Infinity` if there is none. */
  next = never;
  readonly #host: EngineHost;
  readonly #socket: Duplex;
  #read = never;
  #write = never;
  /** Time of the next check that the client is still connected. The server performs these checks while it does not read from the client. */
  #probe = never;
  /** Transfer rate of the request body. `#responsePace` is the transfer rate of the response. Both are `null` until first used. */
  #bodyPace: Pace | null = null;
  #responsePace: Pace | null = null;
  /** Number of bytes that the kernel had not accepted at the last check. */
  #queued: number | null = null;

  constructor(host: EngineHost, socket: Duplex) {
    this.#host = host;
    this.#socket = socket;
  }

  /** Sets the read timeout, in milliseconds. 0 means no timeout. */
  read(timeout: number, now: number): void {
    this.#read = timeout > 0 ? now + timeout : never;
    this.#changed();
  }

  readAnyTime(): void {
    if (this.#read === never) return;
    this.#read = never;
    this.#changed();
  }

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

  responded(): void {
    if (this.#write === never) return;
    this.#write = never;
    this.#changed();
  }

  writeUntil(deadline: number): void {
    if (deadline >= this.#write) return;
    this.#write = deadline;
    this.#changed();
  }

  /** Overrides the transfer rate limits of one direction for the rest of an exchange. Handlers call this method. */
  setPace(of: 'body' | 'response', rule: PaceRule): void {
    if (of === 'response') this.#responsePace = restarted(this.#responsePace, rule);
    else this.#bodyPace?.follow(rule);
    this.#changed();
  }

  get pacesBody(): boolean {
    return this.#bodyPace !== null;
  }

  /** Starts the deadline for a request body that a handler reads. */
  awaitBody(now: number): void {
    if (this.#bodyPace === null) return;
    this.#bodyPace.wait(now);
    this.#changed();
  }

  /** Records received body bytes. `flowing` is true if the reader accepts more data. */
  bodyMoved(now: number, bytes: number, flowing: boolean): void {
    const pace = this.#bodyPace;
    if (pace === null) return;
    pace.moved(now, bytes);
    if (flowing) pace.wait(now);
    else pace.rest(now);
    this.#changed();
  }

  /** Schedules a connection check, because the server does not read data from the client at present. */
  probeLater(now: number): void {
    if (this.#probe !== never) return;
    this.#probe = now + paceOfProbes;
    this.#changed();
  }

  isProbeDue(now: number): boolean {
    if (this.#probe > now) return false;
    this.#probe = never;
    return true;
  }

  bodyCame(now: number): void {
    this.#bodyPace?.rest(now);
  }

  ignoreInput(): void {
    this.#bodyPace = null;
    this.#read = never;
    this.#changed();
  }

  /** Starts the deadline by which the client must receive the pending bytes. `size` is the number of bytes of the response. */
  awaitRoom(now: number, size: number): void {
    this.#responsePace ??= new Pace(this.#host.target.limits.writePace);
    const pending = this.#socket.writableLength;
    this.#queued = queuedBytes(this.#socket);
    const sent = Math.max(0, size - pending);
    this.#responsePace.waitForRoom(now, sent, this.#queued === null ? pending : 0);
    this.#changed();
  }

  roomCame(now: number): void {
    this.#responsePace?.rest(now);
  }

  forgetResponse(): void {
    this.#responsePace = null;
  }

  forget(): void {
    this.next = this.#read = this.#write = this.#probe = never;
    this.#bodyPace = this.#responsePace = null;
  }

  passed(now: number): typeof inTime | typeof sendsTooLate | typeof takesTooLong {
    if (this.#write <= now || this.#isTakenTooSlowly(now)) return takesTooLong;
    if (this.#read > now && (this.#bodyPace === null || this.#bodyPace.deadline > now)) {
      this.#changed();
      return inTime;
    }
    this.ignoreInput();
    return sendsTooLate;
  }

  /** Reports whether the client receives the response too slowly. */
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
