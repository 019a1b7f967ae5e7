/** Targets of requests below `/config/` or `/id/`. */
import { formatUrlPath, parseUrlPath, type ConfigPath } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import { requestError } from '../errors.ts';

/** A configuration value addressed by a request. */
export interface Destination {
  /** Returns the current path. Called again when the change runs, because objects with an `@id` move. */
  locate(): ConfigPath;
  /** True if the path ends with `/...`. A POST request then appends each element of its body. */
  readonly bulk: boolean;
  /** Returns the path for entity tags: the request path, or for `/id/` the equivalent below `/config/`. */
  tagPath(): string;
}

export function configDestination(rest: string): Destination {
  const { path, bulk, suffix } = parseRest(rest);
  return { locate: () => path, bulk, tagPath: () => tagPath(path, suffix) };
}

/** Returns the destination of `rest`, the path after `/id`. An unknown id fails with status 404. */
export function idDestination(rest: string, reconciler: Reconciler): Destination {
  const { path, bulk, suffix } = parseRest(rest);
  const [id, ...inside] = path;
  if (id === undefined) throw requestError('the path has no object ID: expected /id/<id>/…');
  const locate = (): ConfigPath => [...reconciler.pathOfId(id), ...inside];
  return { locate, bulk, tagPath: () => tagPath(locate(), inside.length === 0 && suffix === '/' ? '' : suffix) };
}

/** Parses the rest of a path. An escaped `...` is an ordinary key. */
function parseRest(rest: string): { path: ConfigPath; bulk: boolean; suffix: string } {
  const trimmed = rest.endsWith('/') ? rest.slice(0, -1) : rest;
  const bulk = trimmed.endsWith('/...');
  const path = parseUrlPath(bulk ? trimmed.slice(0, -4) : trimmed);
  return { path, bulk, suffix: bulk ? '/...' : rest.endsWith('/') ? '/' : '' };
}

function tagPath(path: ConfigPath, suffix: string): string {
  return `/config${formatUrlPath(path)}${path.length === 0 && suffix === '' ? '/' : suffix}`;
}
