/** The state of one test request within the server. */
import type { ConnectionInfo, Exchange, PartPlace, RoutePlace } from '@sluice/http-app';
import { anyAddress, type StandInResponse, type StandIns } from './stand-in-options.ts';

/** A request received by a mock upstream. */
export interface SentRequest {
  /** Dial address. */
  readonly upstream: string;
  /** Dial address in the form of `addressKey`. */
  readonly key: string;
  readonly method: string;
  readonly uri: string;
  readonly host: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** `null` until the body is complete. */
  body: Buffer | null;
}

/** A handler that was invoked. */
interface Entered {
  readonly place: PartPlace;
  passedOn: boolean;
}

export class Play {
  readonly standIns: StandIns;
  /** Number of requests by mock upstream. */
  readonly #turns = new Map<string, number>();
  readonly #entered: Entered[] = [];
  /** Routes that were reached, in order. */
  readonly reached: RoutePlace[] = [];
  readonly sent: SentRequest[] = [];
  /** Dial addresses without a mock. */
  readonly missing: string[] = [];
  /** True if the request reached the routes. */
  arrived = false;
  /** Reason why a handler or matcher was not run; `null` if all were. */
  rejected: string | null = null;

  constructor(standIns: StandIns) {
    this.standIns = standIns;
  }

  /** Records that a handler was invoked. */
  enter(place: PartPlace): Entered {
    const entered: Entered = { place, passedOn: false };
    this.#entered.push(entered);
    return entered;
  }

  /** The handler that ended the request: the last one that did not pass it on. `null` if all did. */
  get endedBy(): PartPlace | null {
    return this.#entered.findLast(({ passedOn }) => !passedOn)?.place ?? null;
  }

  /** Returns the mock response to the next request for an address; `null` if none is declared. */
  responseOf(key: string): StandInResponse | null {
    const found = this.standIns.has(key) ? key : anyAddress;
    const responses = this.standIns.get(found);
    if (responses === undefined) return null;
    const turn = this.#turns.get(found) ?? 0;
    this.#turns.set(found, turn + 1);
    return responses[Math.min(turn, responses.length - 1)] ?? null;
  }
}

/** Maps connections to their current test request. The connection is the key, because exchanges cannot be tagged. */
export class Plays {
  readonly #byConnection = new WeakMap<object, Play>();

  /** Assigns a test request to the next request of a connection. */
  set(notes: NonNullable<ConnectionInfo['notes']>, play: Play): void {
    this.#byConnection.set(notes, play);
  }

  /** Returns the test request of an exchange; `null` if a handler created the exchange itself. */
  of({ connection }: Exchange): Play | null {
    return connection.notes === undefined ? null : (this.#byConnection.get(connection.notes) ?? null);
  }
}
