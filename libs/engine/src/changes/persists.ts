/** Whether a configuration wants to be saved (`admin.config.persist`). */
import { isObject, own, type Json } from '@sluice/base';

/** Whether the document wants to be saved: `admin.config.persist` is not false. */
export function persists(document: Json): boolean {
  const admin = isObject(document) ? own(document, 'admin') : undefined;
  const settings = isObject(admin) ? own(admin, 'config') : undefined;
  return !(isObject(settings) && own(settings, 'persist') === false);
}
