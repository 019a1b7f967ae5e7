/** Provisions the listener wrappers of a server. */
import type { Context } from '@sluice/registry';
import type { JsonArray } from '@sluice/base';
import { listenerWrappers, type ListenerWrapper } from './wrapper.ts';

const key = 'listener_wrappers';

/** Loads the wrappers in order and checks it: wrappers that read unencrypted data must come before TLS. */
export async function provisionWrappers(nodes: JsonArray, context: Context): Promise<readonly ListenerWrapper[]> {
  const wrappers = await context.loadInlineList(listenerWrappers, nodes, 'wrapper', key);
  const mark = wrappers.findIndex(({ place }) => place === 'tls');
  if (mark === 0)
    throw context.error('"tls" stands first, where TLS is anyway: leave it out, or put wrappers before it', key, 0);
  for (const [index, { place }] of wrappers.entries()) {
    if (mark < 0 || index <= mark) continue;
    if (place === 'tls') throw context.error(`"tls" stands at [${mark}] already; it may be there once`, key, index);
    if (place === 'before_tls') {
      const name = String((nodes[index] as { wrapper?: unknown }).wrapper);
      throw context.error(`${JSON.stringify(name)} must stand before "tls", which is at [${mark}]`, key, index);
    }
  }
  return wrappers;
}
