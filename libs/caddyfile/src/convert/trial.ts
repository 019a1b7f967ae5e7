/** Parses individual Caddyfile lines, to find lines that omit part of the document. Inverse functions generate these lines. */
import type { Json } from '@sluice/base';
import type { Registry } from '@sluice/registry';
import { adaptCaddyfile } from '../adapt.ts';
import { listAt } from '../inverse/json-parts.ts';
import { groupNumbers } from '../inverse/numbers.ts';
import type { Line } from '../inverse/written.ts';
import { printLines } from './text.ts';

export interface TrialOptions {
  readonly registry: Registry;
  readonly file: string;
  /** Global options that set the directive order. */
  readonly order: readonly Line[];
  /** Names of the named routes. The contents of these routes don't matter. */
  readonly namedRoutes: readonly string[];
}

export interface TriedLine {
  readonly routes: readonly Json[];
  readonly count: number;
}

/** Maximum total number of characters to parse. Deeply nested blocks are parsed again at each level, so the total can grow quickly. */
const maxText = 20_000_000;

/**
 * Probe line with a `rewrite` directive. Its route receives the next group number after the preceding lines, so the number of groups can be
 * derived.
 */
const probe: Line = { words: ['route', '/-/probe'], block: [{ words: ['rewrite', '*', '/'] }] };

export class Trials {
  readonly #options: TrialOptions;
  readonly #before: string;
  #left = maxText;
  readonly #known = new Map<string, Promise<readonly Json[] | null>>();

  constructor(options: TrialOptions) {
    this.#options = options;
    const named = options.namedRoutes.map((name): Line => ({ words: [`&(${name})`], block: [] }));
    this.#before = printLines([...(options.order.length > 0 ? [{ words: [], block: options.order }] : []), ...named]);
  }

  /** Returns the routes that lines adapt to, either sorted or in source order. Returns `null` if the lines cannot be parsed. */
  async routes(lines: readonly Line[], definitions: readonly Line[], sort: boolean): Promise<readonly Json[] | null> {
    const made = await this.#make([{ words: [sort ? 'handle' : 'route'], block: lines }], definitions);
    return made === null ? null : listAt(listAt(made[0], ['handle'])[0], ['routes']);
  }

  /** Returns the routes that a single line adapts to, and the number of route groups that the line uses. */
  async line(line: Line, definitions: readonly Line[]): Promise<TriedLine | null> {
    const inRoute = await this.#make([{ words: ['route'], block: [line] }, probe], definitions);
    // A line that also configures its site is valid in a sorted block but not in `route`. In a sorted block, a `handle` directive comes
    // before the probe line.
    const inHandle =
      inRoute === null ? await this.#make([{ words: ['handle'], block: [line] }, probe], definitions) : null;
    // The adapter sorts directives with a matcher before directives without a matcher.
    const [last, first] = inRoute ?? inHandle?.toReversed() ?? [];
    if (first === undefined) return null;
    const [count = 0] = groupNumbers(last ?? null);
    // Subtract one, because the enclosing block also uses a group number.
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
