/** What a request below `/config/` or `/id/` is about. */
import { formatUrlPath, parseUrlPath, type ConfigPath } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import { requestError } from '../errors.ts';

/** A value of the configuration, as a request names it. */
export interface Destination {
  /** Its path now. Asked again when a change has its turn, as objects with an `@id` move. */
  locate(): ConfigPath;
  /** Whether the path ends with `/...`: then a POST appends the elements of its body one by one. */
  readonly bulk: boolean;
  /** The path as entity tags show it, which is the request's, and for `/id/` the one below `/config/`. */
  tagPath(): string;
}

/** The destination of `rest`, the path after `/config`. */
export function configDestination(rest: string): Destination {
  const { path, bulk, suffix } = parseRest(rest);
  return { locate: () => path, bulk, tagPath: () => tagPath(path, suffix) };
}

/** The destination of `rest`, the path after `/id`. An identifier that no object has is status 404. */
export function idDestination(rest: string, reconciler: Reconciler): Destination {
  const { path, bulk, suffix } = parseRest(rest);
  const [id, ...inside] = path;
  if (id === undefined) throw requestError('the path names no object: expected /id/<id>/…');
  const locate = (): ConfigPath => [...reconciler.pathOfId(id), ...inside];
  return { locate, bulk, tagPath: () => tagPath(locate(), inside.length === 0 && suffix === '/' ? '' : suffix) };
}

/** An escaped `...` is a key like others. */
function parseRest(rest: string): { path: ConfigPath; bulk: boolean; suffix: string } {
  const trimmed = rest.endsWith('/') ? rest.slice(0, -1) : rest;
  const bulk = trimmed.endsWith('/...');
  const path = parseUrlPath(bulk ? trimmed.slice(0, -4) : trimmed);
  return { path, bulk, suffix: bulk ? '/...' : rest.endsWith('/') ? '/' : '' };
}

function tagPath(path: ConfigPath, suffix: string): string {
  return `/config${formatUrlPath(path)}${path.length === 0 && suffix === '' ? '/' : suffix}`;
}
