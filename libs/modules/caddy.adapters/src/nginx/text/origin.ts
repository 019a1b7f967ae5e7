/** Determines the scheme, host and port for URLs that are built from paths. */
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';

/** Returns the origin for URLs: the host that the client requested, and the local port. */
export function origin(site: Site, scope: Scope): string {
  const port = scope.value('port_in_redirect') === 'off' ? '' : site.use('redirect_port');
  return `{http.request.scheme}://{http.request.host}${port}`;
}
