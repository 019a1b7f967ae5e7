/** State of one test request while the server processes it. */
import type { ConnectionInfo, Exchange, PartPlace, RoutePlace } from '@sluice/http-app';
import { anyAddress, type StandInResponse, type StandIns } from './stand-in-options.ts';

/** A request that a mock upstream received. */
export interface SentRequest {
  /** Dial address. */
  readonly upstream: string;
  /** Dial address in the form that `addressKey` returns. */
  readonly key: string;
  readonly method: string;
  readonly uri: string;
  readonly host: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Request body, or `null` until it is complete. */
  body: Buffer | null;
}

/** Record of an invoked handler. */
interface Entered {
  readonly place: PartPlace;
  passedOn: boolean;
}

export class Play {
  readonly standIns: StandIns;
  /** Number of requests received so far, keyed by mock upstream. */
  readonly #turns = new Map<string, number>();
  readonly #entered: Entered[] = [];
  /** Routes that the request reached, in order. */
  readonly reached: RoutePlace[] = [];
  readonly sent: SentRequest[] = [];
  /** Dial addresses for which no mock upstream is declared. */
  readonly missing: string[] = [];
  /** True if the request reached the server's routes. */
  arrived = false;
  /** Reason why a handler or matcher was not run, or `null` if all were run. */
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

  /** Handler that ended the request: the last one that did not call the next handler. `null` if every handler called the next one. */
  get endedBy(): PartPlace | null {
    return this.#entered.findLast(({ passedOn }) => !passedOn)?.place ?? null;
  }

  /** Returns the mock response to the next request for an address, or `null` if none is declared. */
  responseOf(key: string): StandInResponse | null {
    const found = this.standIns.has(key) ? key : anyAddress;
    const responses = this.standIns.get(found);
    if (responses === undefined) return null;
    const turn = this.#turns.get(found) ?? 0;
    this.#turns.set(found, turn + 1);
    return responses[Math.min(turn, responses.length - 1)] ?? null;
  }
}

/** Maps connections to their current test request. Connections serve as keys, because exchanges cannot be tagged. */
export class Plays {
  readonly #byConnection = new WeakMap<object, Play>();

  /** Associates the next request of a connection with a test request. */
  set(notes: NonNullable<ConnectionInfo['notes']>, play: Play): void {
    this.#byConnection.set(notes, play);
  }

  /** Returns the test request of an exchange, or `null` if a handler created the exchange itself. */
  of({ connection }: Exchange): Play | null {
    return connection.notes === undefined ? null : (this.#byConnection.get(connection.notes) ?? null);
  }
}
