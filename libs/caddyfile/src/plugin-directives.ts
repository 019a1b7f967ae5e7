/**
 * Directives and global options of Caddy plugins, by name, so that errors can name the plugin. No npm package provides them yet. A name
 * becomes valid if a package registers it.
 */
const plugins: ReadonlyMap<string, string> = new Map([
  ['authenticate', 'github.com/greenpau/caddy-security'],
  ['authorize', 'github.com/greenpau/caddy-security'],
  ['security', 'github.com/greenpau/caddy-security'],
  ['brotli', 'github.com/dunglas/caddy-cbrotli'],
  ['cgi', 'github.com/aksdb/caddy-cgi'],
  ['crowdsec', 'github.com/hslatman/caddy-crowdsec-bouncer'],
  ['appsec', 'github.com/hslatman/caddy-crowdsec-bouncer'],
  ['defender', 'pkg.jsn.cam/caddy-defender'],
  ['exec', 'github.com/abiosoft/caddy-exec'],
  ['frankenphp', 'github.com/dunglas/frankenphp'],
  ['php', 'github.com/dunglas/frankenphp'],
  ['php_server', 'github.com/dunglas/frankenphp'],
  ['geoip', 'github.com/zhangjiayin/caddy-geoip2'],
  ['git', 'github.com/greenpau/caddy-git'],
  ['json_parse', 'github.com/abiosoft/caddy-json-parse'],
  ['mercure', 'github.com/dunglas/mercure'],
  ['minify', 'github.com/hacdias/caddy-minify'],
  ['s3proxy', 'github.com/lindenlab/caddy-s3-proxy'],
  ['sablier', 'github.com/sablierapp/sablier-caddy-plugin'],
  ['tailscale', 'github.com/tailscale/caddy-tailscale'],
  ['teapot', 'github.com/hairyhenderson/caddy-teapot-module'],
  ['trace', 'github.com/greenpau/caddy-trace'],
  ['vulcain', 'github.com/dunglas/vulcain'],
]);

/** Returns a hint for the error message if the name belongs to a Caddy plugin. Returns an empty string for other names. */
export function pluginHint(name: string): string {
  const plugin = plugins.get(name);
  if (plugin === undefined) return '';
  return ` - it is provided by the plugin ${plugin}, for which there is no npm package`;
}
