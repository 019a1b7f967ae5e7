/** Example URLs of sites that a configuration serves. */
import type { Json } from '../../base/json.ts';
import { siteServersOf, siteUrl } from '../../base/site-url.ts';

/** Returns one example URL per server, such as `http://localhost:8080/`. */
export function siteAddresses(config: Json | undefined): string[] {
  return siteServersOf(config)
    .map((server) => siteUrl(server, ''))
    .filter((url) => url.startsWith('http'));
}
