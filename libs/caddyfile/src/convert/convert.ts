/** Converts native JSON back to a Caddyfile. */
import { isArray, isObject, messageOf, type Json } from '@sluice/base';
import type { ConvertedConfig } from '@sluice/contracts';
import type { Registry } from '@sluice/registry';
import { adaptCaddyfile } from '../adapt.ts';
import { formatCaddyfile } from '../format/format.ts';
import { Inverses, defaultOrder } from './inverses.ts';
import { OrderHints } from './order-hints.ts';
import { writeParts } from './parts.ts';
import { refine } from './refine.ts';
import { commentDifferences, printParts, printUnreadable, withoutComments, type Parts } from './text.ts';
import { compareDocuments, rank, type Comparison } from './verdict.ts';
import type { Line } from '../inverse/written.ts';

/** Result of adapting a generated Caddyfile. */
interface Attempt extends Comparison {
  readonly body: string;
}

/** One of several strategies for writing a document as a Caddyfile. */
interface Way {
  readonly hints: OrderHints;
  readonly join: boolean;
  /** Global options that change the directive order. `order` is the resulting order. */
  readonly options?: readonly Line[];
  readonly order?: string[];
}

/**
 * Converts a JSON document to a Caddyfile. Adapts the result back to JSON and compares both documents, to report every difference. `file`
 * is the name under which the Caddyfile will be saved. It defaults to the name that the document's file servers hide.
 */
export async function convertDocument(document: Json, registry: Registry, file?: string): Promise<ConvertedConfig> {
  const name = file ?? hiddenFile(document) ?? 'Caddyfile';
  const converter = new Converter(document, registry, name);
  const { body, verdict, differences } = await converter.run();
  return { text: commentDifferences(verdict, differences) + body, file: name, verdict, differences };
}

class Converter {
  readonly #document: Json;
  readonly #registry: Registry;
  readonly #file: string;

  constructor(document: Json, registry: Registry, file: string) {
    this.#document = document;
    this.#registry = registry;
    this.#file = file;
  }

  /**
   * Tries the default directive order first, and joins identical sites of different servers. If the result is not identical to the
   * document, tries other strategies.
   */
  async run(): Promise<Attempt> {
    const hints = new OrderHints();
    let best = await this.#attempt({ hints, join: true });
    if (best.verdict === 'identical') return best;
    const order = defaultOrder(this.#registry);
    const options = hints.options(order);
    const others: Way[] = [{ hints: new OrderHints(), join: false }];
    if (options.length > 0) {
      const ordered = { hints: new OrderHints(), options, order };
      others.unshift({ ...ordered, join: true }, { ...ordered, join: false });
    }
    for (const way of others) {
      const next = await this.#attempt(way);
      if (rank(next) < rank(best)) best = next;
      if (best.verdict === 'identical') break;
    }
    return best;
  }

  /** Writes the document as a Caddyfile. Adds or omits optional lines, so that the file adapts to the original document. */
  async #attempt({ hints, join, options = [], order }: Way): Promise<Attempt> {
    const inverses = new Inverses(this.#registry, order);
    const shared = { document: this.#document, registry: this.#registry, file: this.#file, inverses, hints, join };
    const parts = await writeParts(shared, options);
    const found = await refine(parts, (each) => this.#read(printParts(each)));
    return typeof found === 'string' ? this.#withoutUnreadable(parts) : found;
  }

  /** Adapts a Caddyfile and compares the result with the document. If the file is invalid, returns the error message. */
  async #read(text: string): Promise<Attempt | string> {
    const body = formatCaddyfile(text);
    if (withoutComments(body) === '') return { ...compareDocuments(this.#document, {}), body };
    try {
      const { config } = await adaptCaddyfile(body, this.#registry, { file: this.#file, environment: {} });
      return { ...compareDocuments(this.#document, config), body };
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Comments out the parts that cannot be parsed: either single sites or the entire file. */
  async #withoutUnreadable(parts: Parts): Promise<Attempt> {
    const left: string[] = [];
    for (const part of [
      { ...parts, sites: [] },
      ...parts.sites.map((site) => ({ ...parts, globals: [], sites: [site] })),
    ]) {
      const text = printParts(part);
      const problem = await this.#read(text);
      left.push(typeof problem === 'string' ? printUnreadable(text, problem) : text);
    }
    const text = left.join('');
    const found = await this.#read(text);
    if (typeof found !== 'string') return found;
    return { ...compareDocuments(this.#document, {}), body: printUnreadable(text, found) };
  }
}

/** Returns the Caddyfile name that the document's first file server hides. This is the name of the originally adapted file. */
function hiddenFile(value: Json): string | null {
  if (isArray(value)) return firstHidden(value);
  if (!isObject(value)) return null;
  const { handler, hide } = value;
  if (handler === 'file_server' && isArray(hide)) {
    const last = hide.at(-1);
    if (typeof last === 'string' && last.includes('/')) return last.replace(/^\.\/(?!.*\/)/, '');
  }
  return firstHidden(Object.values(value));
}

function firstHidden(values: readonly Json[]): string | null {
  for (const each of values) {
    const name = hiddenFile(each);
    if (name !== null) return name;
  }
  return null;
}
