/** `set_cookie { replace NAME VALUE; hash NAME; delete NAME }` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { readActions } from '../common/actions-syntax.ts';

/** Reads the actions. */
export function readSetCookie(reader: Dispenser): Json {
  return readActions(reader, 'name');
}
