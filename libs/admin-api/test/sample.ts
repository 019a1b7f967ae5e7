/** Sample document that tests of `/config/` read and change. */
import type { Json } from '@sluice/base';
import type { TestResponse, Sent, TestServer } from './admin.ts';

export const base = '/config/apps/any';

export const document: Json = {
  apps: {
    any: { list: [{ n: 0 }, { n: 1 }], nested: [1, [2, 3]], object: { key: 'value' }, nothing: null, text: 'hello' },
  },
};

export const original = (document as { apps: { any: Record<string, unknown> } }).apps.any;

/** Sends a change request to a server that has the sample document. Returns the resulting document. */
export async function change(
  server: TestServer,
  method: string,
  path: string,
  sent: Sent = {},
): Promise<{ response: TestResponse; any: Record<string, unknown> }> {
  await server.reconciler.load(structuredClone(document));
  const response = await server.ask(path.startsWith('/config') ? path : `${base}/${path}`, { method, ...sent });
  return { response, any: server.reconciler.read(['apps', 'any']) as Record<string, unknown> };
}
