/** Routes as directives. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import type { Registry } from '@sluice/registry';
import { moduleObject } from '../json.ts';
import { Inverses, type Candidate } from './inverses.ts';
import { MatcherNames } from './matcher-names.ts';
import { sameButGroups, sameMeaning } from './same.ts';
import { commentJson } from './text.ts';
import { routesOfLines } from './trial.ts';
import type { Line, Writer, Written } from '../inverse/written.ts';

/** A way to say a handler. */
interface Saying {
  readonly candidate: Candidate;
  readonly written: Written;
}

/** Matchers of a route, the word that stands for them, and the definition of the word if it needs one. */
interface Matcher {
  readonly set: JsonObject | null;
  readonly word: string;
  readonly definition: readonly Line[];
  /** Whether the definition still has to be written. */
  readonly isNew: boolean;
}

/** Directives of which several in one block share a group. */
const grouping = new Set(['handle', 'handle_path', 'root']);

/** Writes routes of one document. */
export class RouteWriter implements Writer {
  readonly file: string;
  readonly #registry: Registry;
  readonly #inverses: Inverses;
  readonly #names: MatcherNames;
  /** What could not be said so far, shared by the writers of nested blocks. */
  readonly unsaid: Json[];

  constructor(registry: Registry, file: string, outer?: RouteWriter) {
    this.#registry = registry;
    this.file = file;
    this.#inverses = outer === undefined ? new Inverses(registry) : outer.#inverses;
    this.#names = new MatcherNames(outer === undefined ? null : outer.#names);
    this.unsaid = outer === undefined ? [] : outer.unsaid;
  }

  async routes(routes: Json | undefined, sort: boolean): Promise<readonly Line[]> {
    return this.block(isArray(routes) ? routes : [], sort);
  }

  /** Lines for a block; where sorting would change the order of its routes, they stand in a block `route`. */
  async block(routes: readonly Json[], sort: boolean): Promise<readonly Line[]> {
    const before = this.unsaid.length;
    const sorted = await new RouteWriter(this.#registry, this.file, this).lines(routes, sort);
    const unsaid = this.unsaid.splice(before);
    if (sort && unsaid.length > 0) {
      const written = await new RouteWriter(this.#registry, this.file, this).lines(routes, false);
      if (this.unsaid.length - before < unsaid.length) return [{ words: ['route'], block: written }];
      this.unsaid.length = before;
    }
    this.unsaid.push(...unsaid);
    return sorted;
  }

  /** Lines for the routes of a block. Matchers are defined in front of their first use. */
  async lines(routes: readonly Json[], sort: boolean): Promise<Line[]> {
    const lines: Line[] = [];
    const block = new BlockState(routes, sort);
    for (const route of routes) lines.push(...(await this.#route(route, block)));
    return lines;
  }

  async #route(route: Json, block: BlockState): Promise<readonly Line[]> {
    if (!isObject(route)) return [this.#comment(route)];
    const { group, match, handle, terminal, ...others } = route;
    const sets = isArray(match) ? match : [];
    const unusual = Object.keys(others).length > 0 || terminal === true || sets.length > 1;
    if (unusual || !isArray(handle) || handle.length === 0) return [this.#comment(route)];
    const matcher = await this.#matcher(sets[0]);
    if (matcher === null) return [this.#comment(route)];
    const lines: Line[] = [];
    let used = false;
    for (const handler of handle) {
      const saying = await this.#handler(handler, typeof group === 'string', block, matcher);
      if (saying === null) lines.push(this.#comment({ ...route, handle: [handler] }));
      else lines.push(lineOf(saying, matcher.word));
      used ||= saying?.written.matched !== true;
    }
    if (used && matcher.isNew) return [...matcher.definition, ...lines];
    if (matcher.isNew && matcher.set !== null) this.#names.release(matcher.set);
    return lines;
  }

  /** The word that stands for a set of matchers, and its definition if it needs one. */
  async #matcher(set: Json | undefined): Promise<Matcher | null> {
    if (set === undefined) return { set: null, word: '', definition: [], isNew: false };
    if (!isObject(set)) return null;
    const { path } = set;
    const only = isArray(path) && path.length === 1 ? path[0] : undefined;
    if (Object.keys(set).length === 1 && typeof only === 'string' && only.startsWith('/')) {
      return { set, word: only, definition: [], isNew: false };
    }
    const block = await this.matchers(set);
    if (block === null) return null;
    const known = this.#names.nameOf(set);
    const name = `@${known ?? this.#names.take(set)}`;
    const [first] = block;
    const alone = block.length === 1 && first !== undefined && first.comment === undefined;
    const line: Line = alone ? { ...first, words: [name, ...first.words] } : { words: [name], block };
    return { set, word: name, definition: [line], isNew: known === null };
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
    const write = await this.#inverses.module(id);
    if (write === null) return isObject(options) && Object.keys(options).length === 0 ? [{ words: [name] }] : null;
    const written = await write(options, this);
    return written?.map(({ words = [], block }) => withBlock([name, ...words], block)) ?? null;
  }

  /** The way that says most of a handler, among those whose place in the order is not before what came last. */
  async #handler(handler: Json, grouped: boolean, block: BlockState, matcher: Matcher): Promise<Saying | null> {
    if (!isObject(handler) || typeof handler['handler'] !== 'string') return null;
    const before = this.unsaid.length;
    let best: Saying | null = null;
    let least = Infinity;
    let unsaid: Json[] = [];
    for (const candidate of await this.#inverses.candidates(handler['handler'])) {
      if (!block.allows(candidate, grouped)) continue;
      const written = await candidate.write(handler, this, matcher.set);
      const lost = this.unsaid.splice(before);
      if (written === null || lost.length >= least) continue;
      const made = await this.#holds({ candidate, written }, handler, matcher, lost.length === 0);
      const missing = lost.length + (made === 'alike' ? 0.5 : 0);
      if (made === null || missing >= least) continue;
      best = { candidate, written };
      least = missing;
      unsaid = lost;
      if (missing === 0) break;
    }
    this.unsaid.push(...unsaid);
    if (best !== null) block.place(best.candidate);
    return best;
  }

  /**
   * What the directive makes when it is read: the very handler, one that is alike, or `null` for another. One with comments
   * in its block only has to be readable.
   */
  async #holds(
    saying: Saying,
    handler: JsonObject,
    { set, word, definition }: Matcher,
    complete: boolean,
  ): Promise<'same' | 'alike' | null> {
    const made = await routesOfLines([...definition, lineOf(saying, word)], this.#registry, this.file);
    if (made === null) return null;
    if (!complete) return 'same';
    const { instead } = saying.written;
    const wanted = instead === undefined ? handler : moduleObject('handler', String(handler['handler']), instead);
    const [route] = made;
    if (made.length !== 1 || !isObject(route)) return null;
    const { group: _group, ...rest } = route;
    const expected = { ...(set === null ? {} : { match: [set] }), handle: [wanted] };
    if (sameButGroups(rest, expected)) return 'same';
    return sameMeaning(rest, expected) ? 'alike' : null;
  }

  #comment(value: Json): Line {
    this.unsaid.push(value);
    return { words: [], comment: `can't be said here: ${commentJson(value)}` };
  }
}

/** Which directives a block can have next. */
class BlockState {
  readonly #sort: boolean;
  readonly #grouped: number;
  #position = 0;

  constructor(routes: readonly Json[], sort: boolean) {
    this.#sort = sort;
    this.#grouped = routes.filter((route) => isObject(route) && route['group'] !== undefined).length;
  }

  /** Groups and the order say which of several directives a handler was. */
  allows({ name, position }: Candidate, grouped: boolean): boolean {
    if (this.#sort && position < this.#position) return false;
    if (name === 'rewrite') return grouped;
    return grouping.has(name) ? grouped || this.#grouped === 0 || name === 'root' : !grouped;
  }

  place({ position }: Candidate): void {
    if (this.#sort) this.#position = position;
  }
}

/** A word that could be taken for a matcher gets one that matches all in front of it. */
function lineOf({ candidate: { name }, written }: Saying, matcher: string): Line {
  const { words = [], block } = written;
  if (written.matched === true) return withBlock([name, ...words], block);
  const ambiguous = matcher === '' && /^[/@*]/.test(words[0] ?? '');
  const between = matcher !== '' ? [matcher] : ambiguous ? ['*'] : [];
  return withBlock([name, ...between, ...words], block);
}

function withBlock(words: readonly string[], block: readonly Line[] | undefined): Line {
  return block === undefined ? { words } : { words, block };
}
