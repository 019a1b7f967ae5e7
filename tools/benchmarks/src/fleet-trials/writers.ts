/** Clients of a fleet that change and read its document, and record the responses. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '@sluice/base';
import { revisionIn, wasRefusedToConnect, type AdminResponse, type Asked } from './admin-client.ts';
import { says } from './fleet-of-members.ts';
import type { Change, Read } from './history/call.ts';
import type { MemberProcess } from './member-process.ts';
import type { Random } from './random.ts';

const routesPath = ['apps', 'http', 'servers', 's', 'routes'];

/** Number of routes that are modified in place. Each has an index and an `@id`. */
const fixedRoutes = 12;

/**
 * Returns the initial routes of a document for writers. `others` are routes that never change. The last route tests whether a member serves
 * requests.
 */
export function writtenRoutes(others: readonly unknown[] = []): readonly unknown[] {
  const fixed = Array.from({ length: fixedRoutes }, (_, i) =>
    says(`site ${i}`, { '@id': `site-${i}`, match: [{ host: [`site-${i}.test`] }] }),
  );
  return [...fixed, ...others, says('ok')];
}

/** Parameters that all writers share. */
export interface WritersOptions {
  readonly members: readonly MemberProcess[];
  readonly random: Random;
  /** Number of changes by all writers together. */
  readonly changes: number;
  readonly writers: number;
  /** Maximum pause of a writer between two requests, in milliseconds. */
  readonly rest: number;
}

/** Concurrent writers, with the responses they received. */
export class Writers {
  readonly changes: Change[] = [];
  readonly reads: Read[] = [];
  readonly #options: WritersOptions;
  #left: number;
  /** Highest revision that any writer has received. */
  #seen = 0;

  constructor(options: WritersOptions) {
    this.#options = options;
    this.#left = options.changes;
  }

  /** Number of remaining changes. */
  get left(): number {
    return this.#left;
  }

  /** Makes the changes. Resolves when all of them have received a response. */
  async write(): Promise<void> {
    const { writers, random, rest } = this.#options;
    const write = async (client: number, own: Random): Promise<void> => {
      while (this.#left > 0) {
        await this.#change(`op-${this.#left--}`, client, own);
        await sleep(own.between(0, rest));
        if (own.below(4) === 0) await this.#read(client, own);
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, client) => write(client, random.fork())));
  }

  async #change(op: string, client: number, random: Random): Promise<void> {
    const what = changeOf(op, random);
    const called = performance.now();
    let reported = await this.#ask(op, what, random);
    // If there was no response, the writer may retry at any member. The change keeps its operation ID.
    if (reported.outcome === 'unknown' && random.below(2) === 0) {
      await sleep(random.between(0, 500));
      const again = await this.#ask(op, what, random);
      if (again.outcome === 'committed') reported = again;
    }
    this.changes.push({ op, client, called, responded: performance.now(), ...reported });
  }

  async #ask(op: string, what: Asked, random: Random): Promise<Pick<Change, 'outcome' | 'revision' | 'said'>> {
    try {
      const response = await random.any(this.#options.members).ask({ ...what, headers: { 'Idempotency-Key': op } });
      const [outcome, revision] = [outcomeOf(response), revisionIn(response)];
      if (outcome === 'committed' && revision !== null) this.#seen = Math.max(this.#seen, revision);
      return { outcome, revision, said: `${response.status} ${response.text}` };
    } catch (error) {
      return { outcome: wasRefusedToConnect(error) ? 'refused' : 'unknown', revision: null, said: String(error) };
    }
  }

  async #read(client: number, random: Random): Promise<void> {
    const path = [...routesPath, String(random.below(fixedRoutes)), 'handle', '0', 'body'];
    const target = `/config/${path.join('/')}?min_revision=${this.#seen}`;
    const called = performance.now();
    const response = await random
      .any(this.#options.members)
      .ask({ path: target })
      .catch(() => null);
    const revision = response?.status === 200 ? revisionIn(response) : null;
    if (response === null || revision === null) return;
    this.#seen = Math.max(this.#seen, revision);
    const value = JSON.parse(response.text) as Json;
    this.reads.push({ client, called, responded: performance.now(), revision, path, value });
  }
}

/** Returns a change of a random kind. One in five changes results in a document that cannot be loaded. */
function changeOf(op: string, random: Random): Asked {
  const route = random.below(fixedRoutes);
  const byIndex = `/config/${routesPath.join('/')}/${route}/handle/0`;
  if (random.below(5) === 0) return { method: 'PATCH', path: `${byIndex}/handler`, body: op };
  const kind = random.below(10);
  if (kind < 4) return { method: 'PATCH', path: `${byIndex}/body`, body: op };
  if (kind < 8) return { method: 'PATCH', path: `/id/site-${route}/handle/0/body`, body: op };
  return {
    method: 'POST',
    path: `/config/${routesPath.join('/')}`,
    body: says(op, { match: [{ host: [`${op}.test`] }] }),
  };
}

/**
 * Returns the outcome of a change, based on the response status. 504 means that the outcome is unknown. Any other error means that the
 * change was not applied. This includes 500 for a document that cannot be loaded.
 */
function outcomeOf({ status }: AdminResponse): Change['outcome'] {
  if (status === 504) return 'unknown';
  return status === 200 || status === 202 ? 'committed' : 'refused';
}
