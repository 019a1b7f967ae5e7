/** Translates the response processing of a location: headers, caching, compression and logs. */
import { setVariables, type Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';
import { cachingHandlers } from './expires.ts';
import { compressionHandlers } from './compression.ts';
import { fieldHandlers } from './fields.ts';

/** A stage of response processing. Returns handlers that run before the content handler. */
export type Stage = (site: Site, scope: Scope) => readonly Node[];

const stages: readonly Stage[] = [logHandlers, fieldHandlers, cachingHandlers, compressionHandlers];

export function responseHandlers(site: Site, scope: Scope): Node[] {
  return stages.flatMap((stage) => stage(site, scope));
}

/** Translates `access_log` in a location. `off` is supported, but a separate log file is not. logs.ts handles server logs. */
function logHandlers(site: Site, scope: Scope): Node[] {
  if (scope.kind === 'server') return [];
  const directive = scope.find('access_log');
  if (directive?.args[0] === 'off') return [setVariables({ log_skip: true })];
  if (directive !== undefined && directive !== site.scope.find('access_log'))
    site.adaptation.warn(directive, 'access_log in a location is not supported; entries go to the log of the server');
  return [];
}
