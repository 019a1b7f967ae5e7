/** Provisions a server's listener wrappers. */
import type { Context } from '@sluice/registry';
import type { JsonArray } from '@sluice/base';
import { listenerWrappers, type ListenerWrapper } from './wrapper.ts';

const key = 'listener_wrappers';

/** Loads the wrappers and validates their order: wrappers that read data before decryption must precede TLS. */
export async function provisionWrappers(nodes: JsonArray, context: Context): Promise<readonly ListenerWrapper[]> {
  const wrappers = await context.loadInlineList(listenerWrappers, nodes, 'wrapper', key);
  const mark = wrappers.findIndex(({ place }) => place === 'tls');
  if (mark === 0)
    throw context.error('"tls" is first, which is the default: remove it, or put wrappers before it', key, 0);
  for (const [index, { place }] of wrappers.entries()) {
    if (mark < 0 || index <= mark) continue;
    if (place === 'tls') throw context.error(`duplicate "tls", already at [${mark}]`, key, index);
    if (place === 'before_tls') {
      const name = String((nodes[index] as { wrapper?: unknown }).wrapper);
      throw context.error(`${JSON.stringify(name)} must be before "tls", which is at [${mark}]`, key, index);
    }
  }
  return wrappers;
}
