/** Reads lines back by themselves, so that what an inverse forgot is noticed where it stands. */
import type { Json } from '@sluice/base';
import type { Registry } from '@sluice/registry';
import { adaptCaddyfile } from '../adapt.ts';
import { listAt } from '../inverse/json-parts.ts';
import { groupNumbers } from '../inverse/numbers.ts';
import type { Line } from '../inverse/written.ts';
import { printLines } from './text.ts';

/** What lines are read with. */
export interface TrialOptions {
  readonly registry: Registry;
  /** Name of the file that is made. */
  readonly file: string;
  /** Lines of global options that say how directives are sorted. */
  readonly order: readonly Line[];
  /** Names of named routes: what they hold does not matter. */
  readonly namedRoutes: readonly string[];
}

export interface TriedLine {
  readonly routes: readonly Json[];
  readonly count: number;
}

/** How many characters are read at most: what is nested very deeply is read again at each level. */
const mostText = 20_000_000;

/** Its rewrite gets the number after those of what stands before it. */
const probe: Line = { words: ['route', '/-/probe'], block: [{ words: ['rewrite', '*', '/'] }] };

/** Reads lines, and keeps what it has read. */
export class Trials {
  readonly #options: TrialOptions;
  readonly #before: string;
  #left = mostText;
  readonly #known = new Map<string, Promise<readonly Json[] | null>>();

  constructor(options: TrialOptions) {
    this.#options = options;
    const named = options.namedRoutes.map((name): Line => ({ words: [`&(${name})`], block: [] }));
    this.#before = printLines([...(options.order.length > 0 ? [{ words: [], block: options.order }] : []), ...named]);
  }

  /** The routes that lines make, sorted or as they are written; `null` where they can't be read. */
  async routes(lines: readonly Line[], definitions: readonly Line[], sort: boolean): Promise<readonly Json[] | null> {
    const made = await this.#make([{ words: [sort ? 'handle' : 'route'], block: lines }], definitions);
    return made === null ? null : listAt(listAt(made[0], ['handle'])[0], ['routes']);
  }

  /** The routes that a line makes by itself, and how many numbers of groups it takes. */
  async line(line: Line, definitions: readonly Line[]): Promise<TriedLine | null> {
    const inRoute = await this.#make([{ words: ['route'], block: [line] }, probe], definitions);
    // A line that also says something to its site can stand in a sorted block, not in `route`; `handle` comes before the probe.
    const inHandle =
      inRoute === null ? await this.#make([{ words: ['handle'], block: [line] }, probe], definitions) : null;
    // What has a matcher is sorted in front of what has none.
    const [last, first] = inRoute ?? inHandle?.toReversed() ?? [];
    if (first === undefined) return null;
    const [count = 0] = groupNumbers(last ?? null);
    // The block around it takes a number, too.
    return { routes: listAt(listAt(first, ['handle'])[0], ['routes']), count: count - 1 };
  }

  #make(lines: readonly Line[], definitions: readonly Line[]): Promise<readonly Json[] | null> {
    const text = this.#before + printLines([{ words: [':80'], block: [...definitions, ...lines] }]);
    const known = this.#known.get(text) ?? this.#read(text);
    this.#known.set(text, known);
    return known;
  }

  async #read(text: string): Promise<readonly Json[] | null> {
    const { registry, file } = this.#options;
    this.#left -= text.length;
    if (this.#left < 0) return null;
    try {
      const { config } = await adaptCaddyfile(text, registry, { file, environment: {} });
      return listAt(config, ['apps', 'http', 'servers', 'srv0', 'routes']);
    } catch {
      return null;
    }
  }
}
