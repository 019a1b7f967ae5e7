/**
 * Client deadlines of one HTTP/1.1 connection: for sending a head or a body, or receiving a response. Converts the timeouts and pace rules
 * in the server's limits to deadlines. The host's timer checks at the earliest deadline.
 */
import type { Duplex } from 'node:stream';
import type { PaceRule } from '../../exchange/pace-rule.ts';
import type { EngineHost } from '../engine-host.ts';
import { Pace } from '../pace.ts';
import { queuedBytes } from '../queued-bytes.ts';
import type { ServerLimits } from '../server-handle.ts';

const never = Number.POSITIVE_INFINITY;
/** Interval for probing a client whose body is not being read, in milliseconds. */
const paceOfProbes = 1000;

/** No deadline has passed, because the earlier deadline was postponed. */
export const inTime = 0;
/** The client has sent nothing or too little. */
const sendsTooLate = 1;
/** The client has received nothing or too little of a response, or the whole response took too long. */
export const takesTooLong = 2;

/** Deadlines of a connection, which is the owner and only caller. Times in milliseconds of `performance.now()`. */
export class ClientDeadlines {
  /** Earliest deadline; Infinity for none. */
  next = never;
  readonly #host: EngineHost;
  readonly #socket: Duplex;
  #read = never;
  #write = never;
  /** Time of the next check that a client is still connected while no data is read from it. */
  #probe = never;
  /** Pace of the client sending a body, and of the client receiving a response; `null` until first used. */
  #bodyPace: Pace | null = null;
  #responsePace: Pace | null = null;
  /** Bytes that the system had not accepted at the last check. */
  #queued: number | null = null;

  constructor(host: EngineHost, socket: Duplex) {
    this.#host = host;
    this.#socket = socket;
  }

  /** Requires input within `timeout` milliseconds; 0 = no limit. */
  read(timeout: number, now: number): void {
    this.#read = timeout > 0 ? now + timeout : never;
    this.#changed();
  }

  /** Removes the limit for the next input. */
  readAnyTime(): void {
    if (this.#read === never) return;
    this.#read = never;
    this.#changed();
  }

  /** Starts an exchange. */
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

  /** Marks the response as written. */
  responded(): void {
    if (this.#write === never) return;
    this.#write = never;
    this.#changed();
  }

  /** Limits the response to this deadline. */
  writeUntil(deadline: number): void {
    if (deadline >= this.#write) return;
    this.#write = deadline;
    this.#changed();
  }

  /** Sets the pace of one direction for the rest of an exchange. Called by handlers. */
  setPace(of: 'body' | 'response', rule: PaceRule): void {
    if (of === 'response') this.#responsePace = restarted(this.#responsePace, rule);
    else this.#bodyPace?.follow(rule);
    this.#changed();
  }

  /** Reports whether the body has a pace rule, which requires progress reports. */
  get pacesBody(): boolean {
    return this.#bodyPace !== null;
  }

  /** Waits for the client to send the body that a handler reads. */
  awaitBody(now: number): void {
    if (this.#bodyPace === null) return;
    this.#bodyPace.wait(now);
    this.#changed();
  }

  /** Records received body bytes. `flowing`: the reader accepts more. */
  bodyMoved(now: number, bytes: number, flowing: boolean): void {
    const pace = this.#bodyPace;
    if (pace === null) return;
    pace.moved(now, bytes);
    if (flowing) pace.wait(now);
    else pace.rest(now);
    this.#changed();
  }

  /** Schedules a probe of the client, since no data is read from it now. */
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

  /** Removes the limits on input, which is discarded from now on. */
  ignoreInput(): void {
    this.#bodyPace = null;
    this.#read = never;
    this.#changed();
  }

  /** Waits for the client to receive the pending bytes of a response of `size` bytes. */
  awaitRoom(now: number, size: number): void {
    this.#responsePace ??= new Pace(this.#host.target.limits.writePace);
    const pending = this.#socket.writableLength;
    this.#queued = queuedBytes(this.#socket);
    const sent = Math.max(0, size - pending);
    this.#responsePace.waitForRoom(now, sent, this.#queued === null ? pending : 0);
    this.#changed();
  }

  /** Records that the client has received all pending bytes. */
  roomCame(now: number): void {
    this.#responsePace?.rest(now);
  }

  /** Clears the response deadlines: no response is sent anymore. */
  forgetResponse(): void {
    this.#responsePace = null;
  }

  /** Clears all deadlines, because the socket is closed or was handed over. */
  forget(): void {
    this.next = this.#read = this.#write = this.#probe = never;
    this.#bodyPace = this.#responsePace = null;
  }

  /** Returns the kind of deadline that has passed. */
  passed(now: number): typeof inTime | typeof sendsTooLate | typeof takesTooLong {
    if (this.#write <= now || this.#isTakenTooSlowly(now)) return takesTooLong;
    if (this.#read > now && (this.#bodyPace === null || this.#bodyPace.deadline > now)) {
      this.#changed();
      return inTime;
    }
    this.ignoreInput();
    return sendsTooLate;
  }

  /** Reports whether the client receives nothing or too little of a response. */
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
