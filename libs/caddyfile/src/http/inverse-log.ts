/** Logs of sites in a document. */
import type { Json } from '@sluice/base';
import { listAt } from '../inverse/json-parts.ts';

/** The logger that the access of a site goes to. */
export function accessLog(name: string): string {
  return `http.log.access.${name}`;
}

/** Whether a log is one that a directive of a site defined. */
export function isOfSite(name: string, log: Json): boolean {
  return listAt(log, ['include']).includes(accessLog(name));
}
