/** Resolves the targets of requests below `/config/` and `/id/`. */
import { formatUrlPath, parseUrlPath, type ConfigPath } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import { requestError } from '../errors.ts';

/** The configuration value that a request addresses. */
export interface Destination {
  /** Returns the current path of the value. Called again when the change runs, because objects with an `@id` may move. */
  locate(): ConfigPath;
  /** True if the path ends with `/...`. In this case, a POST request appends each element of its body. */
  readonly bulk: boolean;
  /** Returns the path to use in entity tags. For `/id/` requests, this is the equivalent path below `/config/`. */
  tagPath(): string;
}

export function configDestination(rest: string): Destination {
  const { path, bulk, suffix } = parseRest(rest);
  return { locate: () => path, bulk, tagPath: () => tagPath(path, suffix) };
}

/** Resolves the path after `/id`, given as `rest`. Throws an error with status 404 if the `@id` is unknown. */
export function idDestination(rest: string, reconciler: Reconciler): Destination {
  const { path, bulk, suffix } = parseRest(rest);
  const [id, ...inside] = path;
  if (id === undefined) throw requestError('the path has no object ID: expected /id/<id>/…');
  const locate = (): ConfigPath => [...reconciler.pathOfId(id), ...inside];
  return { locate, bulk, tagPath: () => tagPath(locate(), inside.length === 0 && suffix === '/' ? '' : suffix) };
}

/** Parses the path after the `@id` or `/config/` prefix. A percent-encoded `...` is an ordinary key. */
function parseRest(rest: string): { path: ConfigPath; bulk: boolean; suffix: string } {
  const trimmed = rest.endsWith('/') ? rest.slice(0, -1) : rest;
  const bulk = trimmed.endsWith('/...');
  const path = parseUrlPath(bulk ? trimmed.slice(0, -4) : trimmed);
  return { path, bulk, suffix: bulk ? '/...' : rest.endsWith('/') ? '/' : '' };
}

function tagPath(path: ConfigPath, suffix: string): string {
  return `/config${formatUrlPath(path)}${path.length === 0 && suffix === '' ? '/' : suffix}`;
}
