/**
 * Entity tags of the configuration, in the form `"<path> <hash>"`. A conditional change can depend on any part of the configuration. This
 * optimistic concurrency control is compatible with Caddy's `Etag` and `If-Match`.
 */
import { hashNode } from '@sluice/reconciler';
import { parseUrlPath, type ConfigPath, type Json } from '@sluice/base';
import { requestError, RequestError, traversalError } from '../errors.ts';
import { readStrictly } from './read.ts';

/** A precondition of a change: the path whose content must be unchanged, and the expected hash of this content. */
export interface Precondition {
  /** Path as the client wrote it. */
  readonly path: string;
  readonly segments: ConfigPath;
  readonly hash: string;
}

export function formatTag(tagPath: string, value: Json): string {
  return `"${tagPath} ${hashNode(value)}"`;
}

/**
 * Parses the `If-Match` header. Returns `null` if the header is missing or empty. Rejects entity tags that this server did not issue, with
 * status 400.
 */
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

/** Compares the expected hash with the current content at the path. A path outside `/config/` has no content. */
export function checkPrecondition({ path, segments, hash }: Precondition, document: Json): void {
  const [top, ...inside] = segments;
  const statuses = { status: 500, precise: 412 };
  if (top === undefined) throw traversalError(`${path} is not a configuration path`, statuses.status, statuses.precise);
  const value = readStrictly(top === 'config' ? document : {}, top === 'config' ? inside : segments, statuses);
  const now = hashNode(value);
  if (now === hash) return;
  throw new RequestError(
    'ERR_ADMIN_PRECONDITION',
    `${path} has changed (current hash: ${now}): read it again and repeat the change`,
    { status: 412 },
  );
}
