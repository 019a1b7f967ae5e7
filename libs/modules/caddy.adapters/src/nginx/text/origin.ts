/** Scheme, host and port of addresses that are made of paths. */
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';

/** The beginning of such an address: the host that the client named, and the port that it came to. */
export function origin(site: Site, scope: Scope): string {
  const port = scope.value('port_in_redirect') === 'off' ? '' : site.use('redirect_port');
  return `{http.request.scheme}://{http.request.host}${port}`;
}
