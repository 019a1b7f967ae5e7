/**
 * Deadlines of one HTTP/1.1 client: for sending a head or a body, and for receiving a response. Derived from the
 * server's timeouts and minimum transfer rates. The host's timer checks the earliest deadline.
 */
import type { Duplex } from 'node:stream';
import type { PaceRule } from '../../exchange/pace-rule.ts';
import type { EngineHost } from '../engine-host.ts';
import { Pace } from '../pace.ts';
import { queuedBytes } from '../queued-bytes.ts';
import type { ServerLimits } from '../server-handle.ts';

const never = Number.POSITIVE_INFINITY;
/** Interval for checking that a client is connected while its body is not read, in milliseconds. */
const paceOfProbes = 1000;

/** No deadline has passed, because the earliest one was postponed. */
export const inTime = 0;
/** The client has sent nothing, or too slowly. */
const sendsTooLate = 1;
/** The client receives the response too slowly, or the whole response took too long. */
export const takesTooLong = 2;

/** Deadlines of a connection, which is the only caller. Times in milliseconds of `performance.now()`. */
export class ClientDeadlines {
  /** Earliest deadline; Infinity for none. */
  next = never;
  readonly #host: EngineHost;
  readonly #socket: Duplex;
  #read = never;
  #write = never;
  /** Time of the next check that a client whose data is not read is still connected. */
  #probe = never;
  /** Transfer rates of the request body and of the response; `null` until first used. */
  #bodyPace: Pace | null = null;
  #responsePace: Pace | null = null;
  /** Bytes that the kernel had not accepted at the last check. */
  #queued: number | null = null;

  constructor(host: EngineHost, socket: Duplex) {
    this.#host = host;
    this.#socket = socket;
  }

  /** Requires input within `timeout` milliseconds; 0 means no limit. */
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

  /** Overrides the limits of one direction for the rest of an exchange. Called by handlers. */
  setPace(of: 'body' | 'response', rule: PaceRule): void {
    if (of === 'response') this.#responsePace = restarted(this.#responsePace, rule);
    else this.#bodyPace?.follow(rule);
    this.#changed();
  }

  get pacesBody(): boolean {
    return this.#bodyPace !== null;
  }

  /** Starts the deadline for the body that a handler reads. */
  awaitBody(now: number): void {
    if (this.#bodyPace === null) return;
    this.#bodyPace.wait(now);
    this.#changed();
  }

  /** Records received body bytes. `flowing` is true if the reader accepts more. */
  bodyMoved(now: number, bytes: number, flowing: boolean): void {
    const pace = this.#bodyPace;
    if (pace === null) return;
    pace.moved(now, bytes);
    if (flowing) pace.wait(now);
    else pace.rest(now);
    this.#changed();
  }

  /** Schedules a connection check, because no data is read from the client now. */
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

  /** Starts the deadline for receiving the pending bytes of a response of `size` bytes. */
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
