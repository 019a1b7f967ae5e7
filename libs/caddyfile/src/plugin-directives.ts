/**
 * Directives and global options that plugins of the reference bring: who has a Caddyfile with one learns where it comes from,
 * and which package brings it here. The npm package is `null` where none is known.
 */
interface PluginDirective {
  readonly plugin: string;
  readonly npm: string | null;
}

const none = (plugin: string): PluginDirective => ({ plugin, npm: null });

const plugins: ReadonlyMap<string, PluginDirective> = new Map([
  ['authenticate', none('github.com/greenpau/caddy-security')],
  ['authorize', none('github.com/greenpau/caddy-security')],
  ['security', none('github.com/greenpau/caddy-security')],
  ['brotli', none('github.com/dunglas/caddy-cbrotli')],
  ['cache', none('github.com/caddyserver/cache-handler')],
  ['cgi', none('github.com/aksdb/caddy-cgi')],
  ['coraza_waf', none('github.com/corazawaf/coraza-caddy')],
  ['crowdsec', none('github.com/hslatman/caddy-crowdsec-bouncer')],
  ['appsec', none('github.com/hslatman/caddy-crowdsec-bouncer')],
  ['defender', none('pkg.jsn.cam/caddy-defender')],
  ['dynamic_dns', none('github.com/mholt/caddy-dynamicdns')],
  ['exec', none('github.com/abiosoft/caddy-exec')],
  ['frankenphp', none('github.com/dunglas/frankenphp')],
  ['php', none('github.com/dunglas/frankenphp')],
  ['php_server', none('github.com/dunglas/frankenphp')],
  ['geoip', none('github.com/zhangjiayin/caddy-geoip2')],
  ['git', none('github.com/greenpau/caddy-git')],
  ['json_parse', none('github.com/abiosoft/caddy-json-parse')],
  ['jwtauth', none('github.com/ggicci/caddy-jwt')],
  ['layer4', none('github.com/mholt/caddy-l4')],
  ['maxmind_geolocation', none('github.com/porech/caddy-maxmind-geolocation')],
  ['mercure', none('github.com/dunglas/mercure')],
  ['minify', none('github.com/hacdias/caddy-minify')],
  ['rate_limit', none('github.com/mholt/caddy-ratelimit')],
  ['replace', none('github.com/caddyserver/replace-response')],
  ['s3proxy', none('github.com/lindenlab/caddy-s3-proxy')],
  ['sablier', none('github.com/sablierapp/sablier-caddy-plugin')],
  ['tailscale', none('github.com/tailscale/caddy-tailscale')],
  ['teapot', none('github.com/hairyhenderson/caddy-teapot-module')],
  ['trace', none('github.com/greenpau/caddy-trace')],
  ['vulcain', none('github.com/dunglas/vulcain')],
  ['webdav', none('github.com/mholt/caddy-webdav')],
]);

/** What there is to say of a name that plugins bring, to be added to a message; empty if none does. */
export function pluginHint(name: string): string {
  const known = plugins.get(name);
  if (known === undefined) return '';
  const { plugin, npm } = known;
  const here = npm === null ? 'there is no npm package for it' : `here by the npm package ${npm}`;
  return ` - it is brought by the plugin ${plugin}; ${here}`;
}
