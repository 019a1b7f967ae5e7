/** Implements `GET /schema`, which returns the JSON Schema of the configuration. The schema includes every module of this server. */
import { configSchema, type AdminRouter } from '@sluice/registry';
import { sendBody } from '../http/send.ts';
import type { ApiOptions } from '../api-options.ts';

/** Adds the `GET /schema` route. Generates the schema on the first request and caches it, because modules don't change while a server runs. */
export function addSchemaRoute(router: AdminRouter, { reconciler, version }: ApiOptions): void {
  let made: Promise<string> | null = null;
  const make = async (): Promise<string> => {
    await reconciler.registry.loadAll();
    return `${JSON.stringify({ ...configSchema(reconciler.registry), $comment: `sluice ${version}` })}\n`;
  };
  const forget = (error: unknown): never => {
    made = null;
    throw error;
  };
  router.get('/schema', async (_request, response) => {
    // Concurrent requests share one promise, so the schema is generated only once.
    made ??= make().catch(forget);
    sendBody(response, 200, await made, { 'Content-Type': 'application/schema+json' });
  });
}
