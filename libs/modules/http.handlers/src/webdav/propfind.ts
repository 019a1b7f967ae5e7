/** PROPFIND (RFC 4918 §9.1). */
import { basename, join } from 'node:path';
import { HttpError } from '@sluice/http-app';
import type { ContentTypeOf } from '../file_server/content-type.ts';
import type { Operation } from './operation.ts';
import { liveNames, liveProperty, type Described } from './live-properties.ts';
import type { Lock } from './lock-table.ts';
import { Multistatus, respondWithError, statusElement } from './multistatus.ts';
import { propertyKey, type Properties } from './property-store.ts';
import { names, Prefixes, queryOf, type PropertyName, type Query } from './query.ts';
import { membersOf, type Found } from './resource.ts';
import { davNamespace, escapeXml, readXml } from './xml.ts';

const maxBody = 65_536;
/** Max requests with Depth: infinity at the same time, per thread. Others are rejected with 503. */
const maxWalks = 4;
let walks = 0;

interface Listed {
  readonly path: string;
  readonly found: Found;
  readonly mayHaveProperties: boolean;
}

/** Responds with the properties of the resource, and of its members as far as `depth`. */
export async function propfind(operation: Operation, depth: 0 | 1 | 'infinity'): Promise<void> {
  const query = queryOf(await readXml(operation.exchange.body, maxBody));
  const found = operation.existing();
  const first: Listed = { path: operation.target.path, found, mayHaveProperties: true };
  if (!found.isCollection || depth === 0) return respondWithProperties(operation, query, [first], false);
  if (depth === 'infinity' && walks >= maxWalks) {
    operation.exchange.response.headers.set('retry-after', '1');
    throw new HttpError(503, `${maxWalks} requests with Depth: infinity are in progress`);
  }
  if (depth === 'infinity') walks++;
  try {
    const listed: Listed[] = [first];
    const isComplete = await list(operation, first, depth === 'infinity', listed);
    if (isComplete) await respondWithProperties(operation, query, listed, true);
    else if (depth === 'infinity') respondWithError(operation.exchange, 403, 'propfind-finite-depth');
    else throw new HttpError(507, `the collection has more than ${operation.settings.maxEntries} members`);
  } finally {
    if (depth === 'infinity') walks--;
  }
}

/** Lists members. Returns false if there are more than the limit. Linked directories are listed, but not entered. */
async function list(operation: Operation, from: Listed, deep: boolean, listed: Listed[]): Promise<boolean> {
  const { share, properties, settings } = operation;
  const pending = [from.path];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const described = await properties.membersWithProperties(folder);
    for await (const { name, found, isLink } of membersOf(folder, share.hides)) {
      if (listed.length > settings.maxEntries) return false;
      if (operation.exchange.response.gone) return false;
      const path = join(folder, name);
      listed.push({ path, found, mayHaveProperties: described.has(name) });
      if (deep && found.isCollection && !isLink) pending.push(path);
    }
  }
  return true;
}

async function respondWithProperties(
  operation: Operation,
  query: Query,
  listed: readonly Listed[],
  tree: boolean,
): Promise<void> {
  const { exchange, share, properties, target } = operation;
  const needsLocks = query.kind === 'all' || names(query, 'lockdiscovery');
  const locks = needsLocks ? await operation.locks.around(target.path, tree) : [];
  const prefixes = new Prefixes(query.names);
  const report: Report = { query, prefixes, typeOf: operation.settings.typeOf };
  const response = new Multistatus(exchange, prefixes.declarations);
  for (const { path, found, mayHaveProperties } of listed) {
    const dead = mayHaveProperties ? await properties.read(path) : noProperties;
    const name = share.isRoot(path) ? '' : basename(path);
    const described: Described = { name, found, locks: locksOn(locks, path) };
    const href = escapeXml(share.href(path, found.isCollection));
    await response.add(`<D:response><D:href>${href}</D:href>${propstats(report, described, dead)}</D:response>`);
  }
  response.end();
}

const noProperties: Properties = new Map();

function locksOn(locks: readonly Lock[], path: string): readonly Lock[] {
  if (locks.length === 0) return locks;
  return locks.filter((lock) => lock.path === path || (lock.deep && path.startsWith(withSlash(lock.path))));
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : join(path, '/');
}

/** The same for all resources of a response. */
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

/** Reports whether `allprop` already contains a property. */
function isIncluded({ namespace, name }: PropertyName, dead: Properties): boolean {
  return (namespace === davNamespace && liveNames.includes(name)) || dead.has(propertyKey(namespace, name));
}

function emptyElement(key: string): string {
  const at = key.indexOf('\n');
  return `<${key.slice(at + 1)} xmlns="${escapeXml(key.slice(0, at))}"/>`;
}

/** Returns a `propstat` element. */
export function propstat(properties: string, status: number, condition = ''): string {
  const error = condition === '' ? '' : `<D:error><D:${condition}/></D:error>`;
  return `<D:propstat><D:prop>${properties}</D:prop>${statusElement(status)}${error}</D:propstat>`;
}
