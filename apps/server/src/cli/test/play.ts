/** One request of a case on its way: what is noted of it within the server. */
import type { ConnectionInfo, Exchange, PartPlace, RoutePlace } from '@sluice/http-app';
import { anyAddress, type StandInResponse, type StandIns } from './stand-in-options.ts';

/** A request that arrived at a stand-in. */
export interface SentRequest {
  /** The dial address. */
  readonly upstream: string;
  /** The same in the form of `addressKey`. */
  readonly key: string;
  readonly method: string;
  readonly uri: string;
  readonly host: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** `null` until all of it has come. */
  body: Buffer | null;
}

/** A handler that was entered. */
interface Entered {
  readonly place: PartPlace;
  passedOn: boolean;
}

/** What is noted of a request. */
export class Play {
  readonly standIns: StandIns;
  /** How many requests each stand-in has had. */
  readonly #turns = new Map<string, number>();
  readonly #entered: Entered[] = [];
  /** Routes that were reached, in order. */
  readonly reached: RoutePlace[] = [];
  readonly sent: SentRequest[] = [];
  /** Dial addresses that nothing stands in for. */
  readonly missing: string[] = [];
  /** Whether it came to the routes. */
  arrived = false;

  constructor(standIns: StandIns) {
    this.standIns = standIns;
  }

  /** A handler is entered. */
  enter(place: PartPlace): Entered {
    const entered: Entered = { place, passedOn: false };
    this.#entered.push(entered);
    return entered;
  }

  /** The handler that ended it: the one entered last of those that did not pass it on. `null` if all did. */
  get endedBy(): PartPlace | null {
    return this.#entered.findLast(({ passedOn }) => !passedOn)?.place ?? null;
  }

  /** The response to the next request for an address; `null` if none is declared. */
  responseOf(key: string): StandInResponse | null {
    const found = this.standIns.has(key) ? key : anyAddress;
    const responses = this.standIns.get(found);
    if (responses === undefined) return null;
    const turn = this.#turns.get(found) ?? 0;
    this.#turns.set(found, turn + 1);
    return responses[Math.min(turn, responses.length - 1)] ?? null;
  }
}

/** Which request a connection carries now: by what belongs to the connection, as exchanges have no other mark. */
export class Plays {
  readonly #byConnection = new WeakMap<object, Play>();

  /** The next request of a connection is that of a case. */
  set(notes: NonNullable<ConnectionInfo['notes']>, play: Play): void {
    this.#byConnection.set(notes, play);
  }

  /** The one that an exchange belongs to; `null` for one that a handler has made for itself. */
  of({ connection }: Exchange): Play | null {
    return connection.notes === undefined ? null : (this.#byConnection.get(connection.notes) ?? null);
  }
}
