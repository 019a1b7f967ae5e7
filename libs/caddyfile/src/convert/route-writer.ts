/** Converts routes to Caddyfile directives. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import { moduleObject } from '../json.ts';
import type { Line, WriteSequence, Writer, Written } from '../inverse/written.ts';
import { BlockState } from './block-state.ts';
import { noneOfNone } from './flattened.ts';
import type { Candidate, Inverses } from './inverses.ts';
import { MatcherNames } from './matcher-names.ts';
import type { OrderHints } from './order-hints.ts';
import type { Paths } from './paths.ts';
import { listAt } from '../inverse/json-parts.ts';
import { quoteWord } from '../inverse/quotes.ts';
import { groupNumbers } from '../inverse/numbers.ts';
import { inReadOrder } from './read-order.ts';
import { commentJson } from './text.ts';
import type { TriedLine, Trials } from './trial.ts';
import { sameButGroups, sameMeaning } from './verdict.ts';

/** Data that the writers of all sites in a file share. */
export interface Shared {
  readonly file: string;
  readonly inverses: Inverses;
  readonly trials: Trials;
  readonly hints: OrderHints;
  readonly paths: Paths;
}

/** Caddyfile lines and their conversion loss: 1 for each part that became a comment, plus 0.5 for each part that is only equivalent. */
interface Lines {
  readonly lines: readonly Line[];
  readonly lost: number;
}

/** Matcher argument of a Caddyfile directive. */
interface Matcher {
  readonly set: JsonObject | null;
  readonly word: string;
  /** True if the written matcher is equivalent to the document's matcher but not identical. */
  readonly alike: boolean;
}

/** A directive that represents a handler. */
interface Saying {
  readonly name: string;
  readonly position: number;
  readonly line: Line;
  readonly lost: number;
}

const noWay: Lines = { lines: [], lost: Infinity };

/** Converts the routes of one site to directives. */
export class RouteWriter implements Writer {
  readonly #shared: Shared;
  readonly #names = new MatcherNames();
  /** Caches the lines of blocks. The writer may try several directives for the same block. */
  readonly #blocks = new Map<Json, Map<boolean, Promise<Lines>>>();
  /** Total loss so far; see `Lines`. */
  #lost = 0;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  get file(): string {
    return this.#shared.file;
  }

  async routes(routes: Json | undefined, sort: boolean): Promise<readonly Line[]> {
    if (!isArray(routes)) return [];
    const known = this.#blocks.get(routes) ?? new Map<boolean, Promise<Lines>>();
    this.#blocks.set(routes, known);
    const written = known.get(sort) ?? this.#apart(() => this.#block(routes, sort));
    known.set(sort, written);
    const { lines, lost } = await written;
    this.#lost += lost;
    return lines;
  }

  definitions(lines: readonly Line[]): readonly Line[] {
    return this.#names.usedBy(lines);
  }

  /** Returns a line of a site, with the route group numbers that the line's block uses. */
  async numbered(line: Line, routes: Json): Promise<Line> {
    const block: Line = { words: ['handle'], block: line.block ?? [] };
    const tried = await this.#shared.trials.line(block, this.definitions([block]));
    return tried === null ? line : numbered(line, routes, tried);
  }

  comment(value: Json): Line {
    this.#lost++;
    const path = this.#shared.paths.of(value);
    const what = path === '' ? 'this value' : path;
    return { words: [], comment: `${what} is not representable here: ${commentJson(value)}` };
  }

  async matchers(set: JsonObject): Promise<readonly Line[] | null> {
    const lines: Line[] = [];
    for (const [name, options] of Object.entries(set)) {
      const written = await this.module(`http.matchers.${name}`, options);
      if (written === null) return null;
      lines.push(...written);
    }
    return lines;
  }

  async module(id: string, options: Json): Promise<readonly Line[] | null> {
    const name = id.slice(id.lastIndexOf('.') + 1);
    const write = await this.#shared.inverses.module(id);
    if (write === null) return isObject(options) && Object.keys(options).length === 0 ? [{ words: [name] }] : null;
    const written = await write(options, this);
    return written?.map(({ words = [], block, raw }) => withBlock([name, ...words], block, raw)) ?? null;
  }

  /** Runs a function and returns its conversion loss separately, without adding the loss to the total. */
  async #apart(work: () => Promise<readonly Line[]>): Promise<Lines> {
    const before = this.#lost;
    const lines = await work();
    const lost = this.#lost - before;
    this.#lost = before;
    return { lines, lost };
  }

  /** Returns the lines of a block. If sorting would reorder the routes, encloses the lines in a `route` block. */
  async #block(routes: readonly Json[], sort: boolean): Promise<readonly Line[]> {
    if (!sort) return this.#lines(routes, new BlockState(routes, false, null));
    const sorted = await this.#sorted(routes);
    if (sorted.lost === 0) return this.#taken(sorted);
    const state = new BlockState(routes, false, this.#shared.hints);
    const written = await this.#apart(() => this.#lines(routes, state));
    const wrapped = { lines: [{ words: ['route'], block: written.lines }], lost: written.lost + 0.5 };
    return this.#taken(wrapped.lost < sorted.lost ? wrapped : sorted);
  }

  /** Returns lines in an order that the directive sorting preserves. Parses all lines together to verify the order. */
  async #sorted(routes: readonly Json[]): Promise<Lines> {
    const said = await this.#apart(() => this.#lines(routes, new BlockState(routes, true, this.#shared.hints)));
    const written = { ...said, lines: inReadOrder(said.lines, null) };
    // A single line has already been parsed, so skip the verification.
    if (written.lost >= 1 || routes.length <= 1) return written;
    const made = await this.#shared.trials.routes(written.lines, this.definitions(written.lines), true);
    if (made === null) return noWay;
    if (sameButGroups(made, routes)) return written;
    return sameMeaning(made, routes) ? { ...written, lost: 0.5 } : noWay;
  }

  #taken({ lines, lost }: Lines): readonly Line[] {
    this.#lost += lost;
    return lines;
  }

  async #lines(routes: readonly Json[], block: BlockState): Promise<Line[]> {
    const lines: Line[] = [];
    for (let at = 0; at < routes.length;) {
      const { said, taken } = await this.#next(routes.slice(at), block);
      lines.push(...said);
      at += taken;
    }
    return lines;
  }

  /** Returns the lines of one directive that represents the first routes in a list, and the number of these routes. */
  async #next(routes: readonly Json[], block: BlockState): Promise<{ said: readonly Line[]; taken: number }> {
    for (const candidate of await this.#shared.inverses.sequences()) {
      if (!block.follows(candidate)) continue;
      const found = await this.#sequence(candidate, routes);
      if (found === null) continue;
      block.place(candidate);
      return { said: [found.line], taken: found.taken };
    }
    const [route = null] = routes;
    return { said: await this.#route(route, block), taken: 1 };
  }

  async #sequence(
    { name, write }: Candidate<WriteSequence>,
    routes: readonly Json[],
  ): Promise<{ line: Line; taken: number } | null> {
    const {
      lines: [line],
      lost,
      taken,
    } = await this.#tried(async () => {
      const written = await write(routes, this);
      return written === null ? null : { line: lineOf(name, written, ''), taken: written.taken };
    });
    if (line === undefined || lost > 0) return null;
    const made = await this.#shared.trials.line(line, this.definitions([line]));
    const said = routes.slice(0, taken);
    return made !== null && sameButGroups(made.routes, said) ? { line: numbered(line, said, made), taken } : null;
  }

  async #tried(work: () => Promise<{ line: Line; taken: number } | null>): Promise<Lines & { readonly taken: number }> {
    let taken = 0;
    const lines = await this.#apart(async () => {
      const found = await work();
      taken = found?.taken ?? 0;
      return found === null ? [] : [found.line];
    });
    return { ...lines, taken };
  }

  async #route(route: Json, block: BlockState): Promise<readonly Line[]> {
    if (!isObject(route)) return [this.comment(route)];
    const { group, match, handle, terminal, ...others } = route;
    const unusual = Object.keys(others).length > 0 || terminal === true;
    if (unusual || !isArray(handle) || handle.length === 0) return [this.comment(route)];
    const matcher = await this.#matcher(isArray(match) ? match : []);
    if (matcher === null) return [this.comment(route)];
    if (matcher.alike) this.#lost += 0.5;
    const lines: Line[] = [];
    for (const handler of handle) {
      const saying = await this.#handler(handler, typeof group === 'string', block, matcher);
      if (saying === null) lines.push(this.comment(handle.length === 1 ? route : handler));
      else lines.push(saying.line);
    }
    return lines;
  }

  /** Returns the matcher argument for several alternative matcher sets. Returns `null` if a set is not representable. */
  async #matcher(sets: readonly Json[]): Promise<Matcher | null> {
    const [first, ...more] = sets;
    if (first === undefined) return { set: null, word: '', alike: false };
    const alike = more.length > 0;
    const set = alike ? noneOfNone(sets) : first;
    if (!isObject(set)) return null;
    const { path } = set;
    const only = isArray(path) && path.length === 1 ? path[0] : undefined;
    if (Object.keys(set).length === 1 && typeof only === 'string' && only.startsWith('/')) {
      return { set, word: only, alike };
    }
    const known = this.#names.nameOf(set);
    if (known !== null) return { set, word: known, alike };
    const block = await this.matchers(set);
    return block === null ? null : { set, word: this.#names.take(set, block), alike };
  }

  /** Returns the directive with the least conversion loss, of those that may follow the previous directive. */
  async #handler(handler: Json, grouped: boolean, block: BlockState, matcher: Matcher): Promise<Saying | null> {
    if (!isObject(handler) || typeof handler['handler'] !== 'string') return null;
    let best: Saying | null = null;
    for (const candidate of await this.#shared.inverses.candidates(handler['handler'])) {
      if (!block.allows(candidate, grouped)) continue;
      const saying = await this.#saying(candidate, handler, matcher);
      if (saying !== null && saying.lost < (best?.lost ?? Infinity)) best = saying;
      if (best?.lost === 0) break;
    }
    if (best === null) return null;
    block.place(best);
    this.#lost += best.lost;
    return best;
  }

  async #saying({ name, position, write }: Candidate, handler: JsonObject, matcher: Matcher): Promise<Saying | null> {
    let written: Written | null = null;
    const { lost } = await this.#apart(async () => {
      written = await write(handler, this, matcher.set);
      return [];
    });
    const said = written as Written | null;
    if (said === null) return null;
    const line = lineOf(name, said, matcher.word);
    const tried = await this.#shared.trials.line(line, this.definitions([line]));
    if (tried === null) return null;
    // If the block contains comments, the line only needs valid syntax.
    if (lost >= 1) return { name, position, line, lost };
    const made = tried.routes;
    const wanted =
      said.instead === undefined ? handler : moduleObject('handler', String(handler['handler']), said.instead);
    const [route] = made;
    if (made.length !== 1 || !isObject(route)) return null;
    const { group: _group, ...rest } = route;
    const expected = { ...(matcher.set === null ? {} : { match: [matcher.set] }), handle: [wanted] };
    if (sameButGroups(rest, expected)) {
      return { name, position, line: numbered(line, handler, { ...tried, routes: listAt(route, ['handle']) }), lost };
    }
    return sameMeaning(rest, expected) ? { name, position, line, lost: lost + 0.5 } : null;
  }
}

/** Returns a line with its route group numbers in the document. The trial assigned group numbers from a different starting number. */
function numbered(line: Line, said: Json, { routes, count }: TriedLine): Line {
  const [first] = groupNumbers(said);
  const [tried = 0] = groupNumbers(routes);
  return { ...line, numbers: { first: first === undefined ? null : first - tried, count } };
}

/** Returns the Caddyfile line of a directive. Inserts `*` if the first word would otherwise look like a matcher. */
function lineOf(name: string, { words = [], block, matched, raw }: Written, matcher: string): Line {
  if (matched === true) return withBlock([name, ...words], block, raw);
  const ambiguous = matcher === '' && /^[/@*]/.test(words[0] ?? '');
  const between = matcher !== '' ? [raw === true ? quoteWord(matcher) : matcher] : ambiguous ? ['*'] : [];
  return withBlock([name, ...between, ...words], block, raw);
}

function withBlock(words: readonly string[], block: readonly Line[] | undefined, raw = false): Line {
  return { words, ...(block === undefined ? {} : { block }), ...(raw ? { raw } : {}) };
}
