/** `GET /schema`: the JSON Schema of the configuration, with every module of this server. */
import { configSchema, type AdminRouter } from '@sluice/registry';
import { sendBody } from '../http/send.ts';
import type { ApiOptions } from './changes.ts';

/** Adds the route; the schema is made when it is first asked for, as modules do not change while a server runs. */
export function addSchemaRoute(router: AdminRouter, { engine, version }: ApiOptions): void {
  let text: string | null = null;
  router.get('/schema', async (_request, response) => {
    if (text === null) {
      await engine.registry.loadAll();
      text = `${JSON.stringify({ ...configSchema(engine.registry), $comment: `sluice ${version}` })}\n`;
    }
    sendBody(response, 200, text, { 'Content-Type': 'application/schema+json' });
  });
}
