/** Access logs of sites in a JSON document. */
import type { Json } from '@sluice/base';
import { listAt } from '../inverse/json-parts.ts';

/** Returns the logger name of a site's access log. */
export function accessLog(name: string): string {
  return `http.log.access.${name}`;
}

/** Reports whether a site directive created the log. */
export function isOfSite(name: string, log: Json): boolean {
  return listAt(log, ['include']).includes(accessLog(name));
}
