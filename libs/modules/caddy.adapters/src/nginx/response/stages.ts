/** What a location does with every response: fields, cache times, compression, its log. */
import { setVariables, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { cachingHandlers } from './expires.ts';
import { compressionHandlers } from './compression.ts';
import { fieldHandlers } from './fields.ts';

/** A part of that: the handlers that it puts before those that serve the request. */
export type Stage = (site: Site, scope: Scope) => readonly Node[];

const stages: readonly Stage[] = [logHandlers, fieldHandlers, cachingHandlers, compressionHandlers];

/** The handlers of all parts. */
export function responseHandlers(site: Site, scope: Scope): Node[] {
  return stages.flatMap((stage) => stage(site, scope));
}

/** `access_log` of a location: off, or another file, for which there is no counterpart. That of a server is its own. */
function logHandlers(site: Site, scope: Scope): Node[] {
  if (scope.kind === 'server') return [];
  const directive = scope.find('access_log');
  if (directive?.args[0] === 'off') return [setVariables({ log_skip: true })];
  if (directive !== undefined && directive !== site.scope.find('access_log'))
    site.adaptation.warn(directive, 'access_log in a location is not supported; entries go to the log of the server');
  return [];
}
