/** The WebDAV methods LOCK and UNLOCK (RFC 4918 §9.10 and §9.11). */
import { open } from 'node:fs/promises';
import { fileName } from '@sluice/base';
import { HttpError } from '@sluice/http-app';
import { fromFileSystem } from '../file_server/file-errors.ts';
import { activeLock } from './live-properties.ts';
import type { Lock } from './lock-table.ts';
import { respond, respondWithError, respondWithXml } from './multistatus.ts';
import type { Operation } from './operation.ts';
import { davChild, isDav, readXml, serialize, type XmlNode } from './xml.ts';

const maxBody = 65_536;
/** Maximum length of a lock's `owner` element, which is stored with the lock, in characters. */
const maxOwner = 4096;

/** Creates a lock. If the request has no body, refreshes a lock. If the file does not exist, creates an empty file (RFC 4918 §7.3). */
export async function lock(operation: Operation): Promise<void> {
  const { exchange } = operation;
  const body = await readXml(exchange.body, maxBody);
  const timeout = timeoutOf(exchange.headers.joined('timeout'), operation.settings.maxLockTimeout);
  await (body === null ? refresh(operation, timeout) : create(operation, body, timeout));
}

async function create(operation: Operation, body: XmlNode, timeout: number): Promise<void> {
  const { exchange, path, share, settings, locks, user } = operation;
  const { exclusive, owner } = infoOf(body);
  const deep = isDeep(exchange.headers.get('depth'));
  const found = operation.find(path);
  operation.expectPreconditions(found);
  if (found === null) operation.expectParent(path);
  operation.expectNoOtherFile(path);
  if (found === null && (share.isRoot(path) || exchange.path.endsWith('/')))
    throw new HttpError(
      409,
      'cannot lock the resource: its collection does not exist; create the collection with MKCOL first',
    );
  const href = share.href(path, found?.isCollection === true);
  const { maxLocks: max } = settings;
  const request = { path, href, deep, exclusive, owner, user, timeout, max, root: share.root };
  const accesses = found === null ? [operation.membership(path)] : [];
  const locked = await locks.lock(request, accesses, operation.submission);
  if (!('lock' in locked)) {
    if (locked.status === 507)
      throw new HttpError(507, `cannot lock the resource: the maximum of ${max} locks has been reached`);
    if (locked.status === 412) throw new HttpError(412, 'a condition in the If header field is false');
    respondWithError(exchange, 423, 'no-conflicting-lock', locked.href);
    return;
  }
  const isCreated = found === null && (await createEmpty(operation, locked.lock));
  exchange.response.headers.set('lock-token', `<${locked.lock.token}>`);
  respondWithLock(operation, isCreated ? 201 : 200, locked.lock);
}

/** Creates an empty file for a new lock. Returns false if another request has created the file in the meantime. */
async function createEmpty(operation: Operation, { token }: Lock): Promise<boolean> {
  const { path, locks, user, properties } = operation;
  try {
    await (await open(fileName(path), 'wx')).close();
    await properties.remove(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    await locks.unlock(path, token, user);
    throw fromFileSystem(error);
  }
}

async function refresh(operation: Operation, timeout: number): Promise<void> {
  const { path, locks, user, ifHeader } = operation;
  const { tokens } = ifHeader;
  const [token] = tokens;
  if (token === undefined || tokens.length > 1)
    throw new HttpError(400, 'a LOCK request without a body requires an If header field with exactly one lock token');
  operation.existing();
  const refreshed = await locks.refresh(path, token, user, timeout);
  if (refreshed === null) respondWithError(operation.exchange, 412, 'lock-token-matches-request-uri');
  else respondWithLock(operation, 200, refreshed);
}

export async function unlock(operation: Operation): Promise<void> {
  const { exchange, path, locks, user } = operation;
  const token = /^\s*<([^<>]+)>\s*$/.exec(exchange.headers.get('lock-token') ?? '')?.[1];
  if (token === undefined) throw new HttpError(400, 'UNLOCK requests require a Lock-Token header field');
  const status = await locks.unlock(path, token, user);
  if (status === 409) respondWithError(exchange, 409, 'lock-token-matches-request-uri');
  else if (status === 403) throw new HttpError(403, 'the lock belongs to another user');
  else respond(exchange, 204);
}

function respondWithLock({ exchange }: Operation, status: number, found: Lock): void {
  respondWithXml(exchange, status, 'prop', `<D:lockdiscovery>${activeLock(found)}</D:lockdiscovery>`);
}

function infoOf(body: XmlNode): { readonly exclusive: boolean; readonly owner: string } {
  const scope = isDav(body, 'lockinfo') ? davChild(body, 'lockscope') : undefined;
  const type = davChild(body, 'locktype');
  const exclusive = scope !== undefined && davChild(scope, 'exclusive') !== undefined;
  const shared = scope !== undefined && davChild(scope, 'shared') !== undefined;
  if (exclusive === shared || type === undefined || davChild(type, 'write') === undefined)
    throw new HttpError(400, 'the request body is not a lockinfo element for an exclusive or a shared write lock');
  const owner = davChild(body, 'owner');
  return { exclusive, owner: owner === undefined ? '' : serialize(owner, maxOwner) };
}

function isDeep(depth: string | undefined): boolean {
  const text = depth?.trim().toLowerCase() ?? 'infinity';
  if (text !== '0' && text !== 'infinity')
    throw new HttpError(400, 'LOCK requests require Depth: 0 or Depth: infinity');
  return text === 'infinity';
}

/** Returns the first supported value of a Timeout field (RFC 4918 §10.7), in milliseconds, capped at `max`. */
function timeoutOf(field: string | undefined, max: number): number {
  for (const alternative of (field ?? '').split(',')) {
    const seconds = /^\s*Second-(\d{1,10})\s*$/i.exec(alternative)?.[1];
    if (seconds !== undefined) return Math.min(Math.max(Number(seconds), 1) * 1000, max);
    if (alternative.trim().toLowerCase() === 'infinite') return max;
  }
  return max;
}
