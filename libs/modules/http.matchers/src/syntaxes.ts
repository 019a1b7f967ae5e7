/** Caddyfile syntax of the matchers in this package. */
import { contributeSyntaxes } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

export function registerSyntaxes(registry: Registry): void {
  contributeSyntaxes(registry, 'http.matchers', {
    client_ip: async () => (await import('./client_ip/caddyfile.ts')).clientIp,
    expression: async () => (await import('./expression/caddyfile.ts')).expression,
    file: async () => (await import('./file/caddyfile.ts')).file,
    header: async () => (await import('./header/caddyfile.ts')).header,
    header_regexp: async () => (await import('./header_regexp/caddyfile.ts')).headerRegexp,
    host: async () => (await import('./host/caddyfile.ts')).host,
    maxmind_geolocation: async () => (await import('./maxmind_geolocation/caddyfile.ts')).maxmindGeolocation,
    method: async () => (await import('./method/caddyfile.ts')).method,
    not: async () => (await import('./not/caddyfile.ts')).not,
    path: async () => (await import('./path/caddyfile.ts')).path,
    path_regexp: async () => (await import('./path_regexp/caddyfile.ts')).pathRegexp,
    protocol: async () => (await import('./protocol/caddyfile.ts')).protocol,
    query: async () => (await import('./query/caddyfile.ts')).query,
    remote_ip: async () => (await import('./remote_ip/caddyfile.ts')).remoteIp,
    tls: async () => (await import('./tls/caddyfile.ts')).tls,
    url_pattern: async () => (await import('./url_pattern/caddyfile.ts')).urlPattern,
    vars: async () => (await import('./vars/caddyfile.ts')).vars,
    vars_regexp: async () => (await import('./vars_regexp/caddyfile.ts')).varsRegexp,
  });
}
