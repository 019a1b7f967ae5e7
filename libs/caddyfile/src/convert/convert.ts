/** From native JSON back to a Caddyfile. */
import { isArray, isObject, messageOf, type Json } from '@sluice/base';
import type { Registry } from '@sluice/registry';
import { adaptCaddyfile } from '../adapt.ts';
import { formatCaddyfile } from '../format/format.ts';
import { writeErrorRoutes } from './error-routes.ts';
import { writeGlobalOptions } from './global-options.ts';
import { writeSiteLogs } from './logs.ts';
import { RouteWriter } from './route-writer.ts';
import { differences, sameMeaning, withGroupsNumbered, type Difference } from './same.ts';
import { writeSiteTls } from './site-tls.ts';
import { serversOf, sitesOf, type SiteDraft } from './sites.ts';
import { commentJson, printLines } from './text.ts';
import { valueAt } from './trial.ts';
import type { Line } from '../inverse/written.ts';

/** A document as a Caddyfile. */
export interface Conversion {
  /** The file. What it does not say stands in comments, as JSON. */
  readonly text: string;
  /** What adapting the file gives otherwise than the document; empty if nothing was lost. */
  readonly differences: readonly Difference[];
}

/** What writing parts needs. */
interface Context {
  /** A writer for another site: names of matchers belong to one. */
  readonly writer: () => RouteWriter;
}

/**
 * Converts a document. The file is adapted again and compared, so that no difference goes unnoticed. `file` is the name that it
 * will have; without one that which the document's file servers hide.
 */
export async function convertDocument(document: Json, registry: Registry, file?: string): Promise<Conversion> {
  const name = file ?? hiddenFile(document) ?? 'Caddyfile';
  const parts = await writeParts(document, { writer: () => new RouteWriter(registry, name) });
  const body = formatCaddyfile(parts.join('\n'));
  const found = await compare(document, body, registry, name);
  if (typeof found !== 'string') return { text: commented(found) + body, differences: found };
  return withoutUnreadable(document, parts, registry, name);
}

/** What can't be read back becomes comments: single sites, or the whole file. */
async function withoutUnreadable(
  document: Json,
  parts: readonly string[],
  registry: Registry,
  file: string,
): Promise<Conversion> {
  const readable: string[] = [];
  for (const part of parts) {
    const problem = await compare({}, part, registry, file);
    readable.push(typeof problem === 'string' ? unreadable(part, problem) : part);
  }
  let body = formatCaddyfile(readable.join('\n'));
  let found = await compare(document, body, registry, file);
  if (typeof found === 'string') {
    body = unreadable(body, found);
    found = differences(document, {});
  }
  return { text: commented(found) + body, differences: found };
}

function unreadable(text: string, problem: string): string {
  return printLines([{ words: [], comment: `can't be read back: ${problem}\n${text.trimEnd()}` }]);
}

/** The global block and a block for each site. */
async function writeParts(document: Json, { writer }: Context): Promise<readonly string[]> {
  const parts: Line[] = [];
  const options = await writeGlobalOptions(document, writer());
  if (options.length > 0) parts.push({ words: [], block: options });
  const app = valueAt(document, ['apps', 'http']);
  const ports = { http: String(valueAt(app, ['http_port']) ?? 80), https: String(valueAt(app, ['https_port']) ?? 443) };
  for (const [, server] of serversOf(document)) {
    for (const site of sitesOf(server, ports)) parts.push(await writeSite(site, document, writer()));
  }
  return parts.map((part) => printLines([part]));
}

async function writeSite(site: SiteDraft, document: Json, writer: RouteWriter): Promise<Line> {
  const words = site.addresses.map((address, at) => (at < site.addresses.length - 1 ? `${address},` : address));
  const block: Line[] = [];
  if (site.bind.length > 0) block.push({ words: ['bind', ...site.bind] });
  block.push(...(await writeSiteTls(site, document, writer)));
  block.push(...(await writeSiteLogs(site, document, writer)));
  block.push(...(await writer.block(site.routes, true)));
  block.push(...(await writeErrorRoutes(site.errorRoutes, writer)));
  return { words, block };
}

/** How the file reads otherwise than the document, or why it can't be read. */
async function compare(
  document: Json,
  text: string,
  registry: Registry,
  file: string,
): Promise<readonly Difference[] | string> {
  if (withoutComments(text) === '') return differences(document, {});
  try {
    const { config } = await adaptCaddyfile(text, registry, { file, environment: {} });
    if (sameMeaning(document, config)) return [];
    return differences(withGroupsNumbered(document), withGroupsNumbered(config));
  } catch (error) {
    return messageOf(error);
  }
}

function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:#.*)?$/gm, '').trim();
}

/** The differences as comments at the top of a file. */
function commented(found: readonly Difference[]): string {
  if (found.length === 0) return '';
  const lines = found.map(({ path, wanted, made }) => {
    const shown = path === '' ? 'the document' : path;
    const instead = made === undefined ? '' : `, this file makes ${commentJson(made)}`;
    return `${shown}: ${wanted === undefined ? 'not in the document' : commentJson(wanted)}${instead}`;
  });
  return printLines([
    { words: [], comment: ['This file does not say all of the configuration:', ...lines].join('\n') },
  ]);
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
