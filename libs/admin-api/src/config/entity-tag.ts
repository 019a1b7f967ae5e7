/**
 * Entity tags of the configuration: `"<path> <hash>"`. A change can depend on any scope (optimistic concurrency;
 * Caddy's Etag and If-Match).
 */
import { hashNode } from '@sluice/reconciler';
import { parseUrlPath, type ConfigPath, type Json } from '@sluice/base';
import { requestError, RequestError, traversalError } from '../errors.ts';
import { readStrictly } from './read.ts';

/** The scope that must be unchanged, and its content hash. */
export interface Precondition {
  /** Path as written by the client. */
  readonly path: string;
  readonly segments: ConfigPath;
  readonly hash: string;
}

export function formatTag(tagPath: string, value: Json): string {
  return `"${tagPath} ${hashNode(value)}"`;
}

/** Parses `If-Match`; `null` if absent or empty. Rejects foreign entity tags with status 400. */
export function parseIfMatch(header: string | undefined): Precondition | null {
  const text = header?.trim() ?? '';
  if (text === '') return null;
  const [path, hash, ...more] = /^"(.*)"$/.exec(text)?.[1]?.trim().split(/\s+/) ?? [];
  if (path === undefined || hash === undefined || more.length > 0) {
    throw requestError(
      `malformed If-Match ${JSON.stringify(text)}: expected the Etag of a GET response, "<path> <hash>" including its quotes`,
    );
  }
  return { path, segments: parseUrlPath(path.replace(/\/(?:\.\.\.)?$/, '')), hash };
}

/**
 * Compares the precondition with the current content of its scope. A path outside `/config/` is a scope without
 * content.
 */
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
    `${path} has changed (current hash: ${now}): read it again and repeat the change`,
    { status: 412 },
  );
}
