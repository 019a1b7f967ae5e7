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

/** `access_log off` of a location. That of a whole server is no log at all. */
function logHandlers(_site: Site, scope: Scope): Node[] {
  return scope.value('access_log') === 'off' && scope.kind !== 'server' ? [setVariables({ log_skip: true })] : [];
}
