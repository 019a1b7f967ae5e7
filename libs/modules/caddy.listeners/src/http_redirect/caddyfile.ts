/** `http_redirect`: what else is written is not looked at, as the reference does it. */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Has no options in the Caddyfile. */
export function readHttpRedirect(_reader: Dispenser): Json {
  return {};
}
