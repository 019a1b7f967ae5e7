/** From native JSON back to a Caddyfile. */
import { isArray, isObject, messageOf, type Json } from '@sluice/base';
import type { ConvertedConfig } from '@sluice/contracts';
import type { Registry } from '@sluice/registry';
import { adaptCaddyfile } from '../adapt.ts';
import { formatCaddyfile } from '../format/format.ts';
import { Inverses, usualOrder } from './inverses.ts';
import { OrderHints } from './order-hints.ts';
import { writeParts } from './parts.ts';
import { refine } from './refine.ts';
import { commentDifferences, printParts, printUnreadable, withoutComments, type Parts } from './text.ts';
import { compareDocuments, rank, type Comparison } from './verdict.ts';
import type { Line } from '../inverse/written.ts';

/** A file that was read again. */
interface Attempt extends Comparison {
  readonly body: string;
}

/**
 * Converts a document. The file is adapted again and compared, so that no difference goes unnoticed. `file` is the name that it
 * will have; without one that which the document's file servers hide.
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

  async run(): Promise<Attempt> {
    const hints = new OrderHints();
    const first = await this.#attempt(hints, []);
    if (first.verdict === 'identical') return first;
    const order = usualOrder(this.#registry);
    const options = hints.options(order);
    if (options.length === 0) return first;
    const second = await this.#attempt(new OrderHints(), options, order);
    return rank(second) < rank(first) ? second : first;
  }

  /** Writes the document, and changes what was doubtful until it is read as it should. */
  async #attempt(hints: OrderHints, options: readonly Line[], order?: string[]): Promise<Attempt> {
    const inverses = new Inverses(this.#registry, order);
    const shared = { document: this.#document, registry: this.#registry, file: this.#file, inverses, hints };
    const parts = await writeParts(shared, options);
    const found = await refine(parts, (each) => this.#read(printParts(each)));
    return typeof found === 'string' ? this.#withoutUnreadable(parts) : found;
  }

  /** How a file reads, or why it can't be read. */
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

  /** What can't be read back becomes comments: single sites, or the whole file. */
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

/** The Caddyfile that the first file server of a document hides: the name under which it was adapted. */
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
