/** The WebDAV method PROPFIND (RFC 4918 §9.1). */
import { escapeXml } from '@sluice/base';
import { basename, join } from 'node:path';
import { ClientGoneError, HttpError } from '@sluice/http-app';
import type { ContentTypeOf } from '../file_server/content-type.ts';
import type { Operation } from './operation.ts';
import { liveNames, liveProperty, type Described } from './live-properties.ts';
import { coveringLocks, type Depth, type Lock } from './lock-table.ts';
import { Multistatus, respondWithError, statusElement } from './multistatus.ts';
import { propertyKey, type Properties } from './property-store.ts';
import { isNamed, Prefixes, queryOf, type PropertyName, type Query } from './query.ts';
import { membersOf, namesIn, type Found } from './resource.ts';
import { davNamespace, readXml } from './xml.ts';

const maxBody = 65_536;
/** Maximum number of concurrent PROPFIND requests with Depth: infinity, per thread. Additional requests get status 503. */
const maxWalks = 4;
let walks = 0;

interface Listed {
  readonly path: string;
  readonly found: Found;
  readonly mayHaveProperties: boolean;
}

/** Responds with the properties of the resource and its members down to `depth`. */
export async function propfind(operation: Operation, depth: Depth): Promise<void> {
  const query = queryOf(await readXml(operation.exchange.body, maxBody));
  const found = operation.existing();
  const first: Listed = { path: operation.path, found, mayHaveProperties: true };
  if (!found.isCollection || depth === 0) return respondWithProperties(operation, query, [first], 0);
  if (depth === 1) return respondWithProperties(operation, query, await withMembers(operation, first), 1);
  if (walks >= maxWalks) {
    operation.exchange.response.headers.set('retry-after', '1');
    throw new HttpError(
      503,
      `too many PROPFIND requests with Depth: infinity: the maximum of ${maxWalks} are in progress`,
    );
  }
  walks++;
  try {
    const listed = await treeOf(operation, first);
    if (listed === null) respondWithError(operation.exchange, 403, 'propfind-finite-depth');
    else await respondWithProperties(operation, query, listed, depth);
  } finally {
    walks--;
  }
}

/** Yields a collection and its members. Keeps only the member names in memory while the client reads. */
async function withMembers(operation: Operation, first: Listed): Promise<AsyncIterable<Listed>> {
  const { share, properties, settings } = operation;
  const names = (await namesIn(first.path)).sort();
  if (names.length > settings.maxEntries)
    throw new HttpError(507, `the collection has more than ${settings.maxEntries} members`);
  const described = await properties.membersWithProperties(first.path);
  return (async function* list() {
    yield first;
    for await (const { name, found } of membersOf(first.path, names, share.hides))
      yield { path: join(first.path, name), found, mayHaveProperties: described.has(name) };
  })();
}

/** Returns all resources of a tree, or `null` if the tree exceeds the limit. Symlinked directories are listed without their members. */
async function treeOf(operation: Operation, first: Listed): Promise<readonly Listed[] | null> {
  const { share, properties, settings, exchange } = operation;
  const listed = [first];
  const pending = [first.path];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const described = await properties.membersWithProperties(folder);
    const names = (await namesIn(folder)).sort();
    for await (const { name, found, isLink } of membersOf(folder, names, share.hides)) {
      if (listed.length > settings.maxEntries) return null;
      if (exchange.response.gone) throw new ClientGoneError();
      const path = join(folder, name);
      listed.push({ path, found, mayHaveProperties: described.has(name) });
      if (found.isCollection && !isLink) pending.push(path);
    }
  }
  return listed;
}

async function respondWithProperties(
  operation: Operation,
  query: Query,
  listed: Iterable<Listed> | AsyncIterable<Listed>,
  depth: Depth,
): Promise<void> {
  const { exchange, share, properties } = operation;
  const needsLocks = query.kind === 'all' || isNamed(query, 'lockdiscovery');
  const locks = needsLocks ? await operation.locks.around(operation.path, depth) : [];
  const byRoot = Map.groupBy(locks, (lock) => lock.path);
  const prefixes = new Prefixes(query.names);
  const report: Report = { query, prefixes, typeOf: operation.settings.typeOf };
  const response = new Multistatus(exchange, prefixes.declarations);
  for await (const { path, found, mayHaveProperties } of listed) {
    const dead = mayHaveProperties ? await properties.read(path) : noProperties;
    const name = share.isRoot(path) ? '' : basename(path);
    const described: Described = {
      name,
      found,
      locks: locks.length === 0 ? locks : coveringLocks(path, (root) => byRoot.get(root) ?? noLocks),
    };
    const href = escapeXml(share.href(path, found.isCollection));
    await response.add(`<D:response><D:href>${href}</D:href>${propstats(report, described, dead)}</D:response>`);
  }
  response.end();
}

const noProperties: Properties = new Map();
const noLocks: readonly Lock[] = [];

/** State shared by all resources of a PROPFIND response. */
interface Report {
  readonly query: Query;
  readonly prefixes: Prefixes;
  readonly typeOf: ContentTypeOf;
}

function propstats({ query, prefixes, typeOf }: Report, described: Described, dead: Properties): string {
  let present = '';
  let absent = '';
  const add = (property: PropertyName): void => {
    const element = property.namespace === davNamespace ? liveProperty(property.name, described, typeOf) : null;
    const found = element ?? dead.get(propertyKey(property.namespace, property.name));
    if (found === undefined) absent += prefixes.empty(property);
    else present += found;
  };
  if (query.kind === 'some') for (const property of query.names) add(property);
  else {
    for (const name of liveNames) {
      const element = liveProperty(name, described, typeOf);
      if (element !== null) present += query.kind === 'names' ? `<D:${name}/>` : element;
    }
    for (const [key, element] of dead) present += query.kind === 'names' ? emptyElement(key) : element;
    for (const property of query.names) if (!isIncluded(property, dead)) add(property);
  }
  let text = '';
  if (present !== '' || absent === '') text += propstat(present, 200);
  if (absent !== '') text += propstat(absent, 404);
  return text;
}

/** Reports whether `allprop` already includes a property. */
function isIncluded({ namespace, name }: PropertyName, dead: Properties): boolean {
  return (namespace === davNamespace && liveNames.includes(name)) || dead.has(propertyKey(namespace, name));
}

function emptyElement(key: string): string {
  const at = key.lastIndexOf('\n');
  return `<${key.slice(at + 1)} xmlns="${escapeXml(key.slice(0, at))}"/>`;
}

export function propstat(properties: string, status: number, condition = ''): string {
  const error = condition === '' ? '' : `<D:error><D:${condition}/></D:error>`;
  return `<D:propstat><D:prop>${properties}</D:prop>${statusElement(status)}${error}</D:propstat>`;
}
