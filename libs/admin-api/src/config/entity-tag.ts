/**
 * Entity tags of the configuration: `"<path> <hash>"`, so that a change can be made to depend on any scope it likes
 * (optimistic concurrency; reference: Etag and If-Match).
 */
import { hashNode } from '@sluice/reconciler';
import { parseUrlPath, type ConfigPath, type Json } from '@sluice/base';
import { requestError, RequestError, traversalError } from '../errors.ts';
import { readStrictly } from './read.ts';

/** The scope that must not have changed, and the hash that its content had. */
export interface Precondition {
  /** As the client wrote it. */
  readonly path: string;
  readonly segments: ConfigPath;
  readonly hash: string;
}

export function formatTag(tagPath: string, value: Json): string {
  return `"${tagPath} ${hashNode(value)}"`;
}

/** Reads `If-Match`; `null` if it is absent or empty. One tag of ours is all it may have: status 400. */
export function parseIfMatch(header: string | undefined): Precondition | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  const [path, hash, ...more] = /^"(.*)"$/.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
  if (path === undefined || hash === undefined || more.length > 0) {
    throw requestError(
      `malformed If-Match ${JSON.stringify(text)}: expected an Etag of a GET, "<path> <hash>" with its quotes`,
    );
  }
  return { path, segments: parseUrlPath(path.replace(/\/(?:\.\.\.)?$/, '')), hash };
}

/** Compares the content of the scope now. A path outside of `/config/` is a scope without content. */
export function checkPrecondition({ path, segments, hash }: Precondition, document: Json): void {
  const [top, ...inside] = segments;
  const statuses = { status: 500, precise: 412 };
  if (top === undefined)
    throw traversalError(`${path} is not a path of the configuration`, statuses.status, statuses.precise);
  const value = readStrictly(top === 'config' ? document : {}, top === 'config' ? inside : segments, statuses);
  const now = hashNode(value);
  if (now === hash) return;
  throw new RequestError(
    'ERR_ADMIN_PRECONDITION',
    `${path} has changed (its hash is ${now} now): get it again and repeat the change`,
    { status: 412 },
  );
}
