/** Access logs of a site as directives `log`. */
import type { Json } from '@sluice/base';
import type { RouteWriter } from './route-writer.ts';
import type { SiteDraft } from './sites.ts';
import type { Line } from '../inverse/written.ts';

/** Lines for the logs that a server has for the hosts of a site. */
export function writeSiteLogs(_site: SiteDraft, _document: Json, _writer: RouteWriter): readonly Line[] {
  return [];
}
