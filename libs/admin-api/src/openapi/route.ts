/**
 * Implements `GET /openapi.json`, which describes the admin API of this server (OpenAPI 3.1). The description includes the routes of all
 * packages.
 */
import type { AdminRouter } from '@sluice/registry';
import { requestError } from '../errors.ts';
import { sendBody } from '../http/send.ts';
import type { ApiOptions } from '../api-options.ts';
import { tableOf } from '../routes/contributed.ts';
import { operationsOf, type OwnedRouter } from '../routes/owned-router.ts';

/**
 * Adds the `GET /openapi.json` route. Generates the description on the first request and caches it, because routes don't change while a
 * server runs.
 */
export function addOpenApiRoute(router: AdminRouter, routers: readonly OwnedRouter[], { version }: ApiOptions): void {
  const made = new Map<string, Promise<string>>();
  router.get('/openapi.json', async (request, response) => {
    const [detail = 'true'] = [request.query['detail'] ?? []].flat();
    if (detail !== 'true' && detail !== 'false')
      throw requestError(`detail must be true or false, not ${JSON.stringify(detail)}`);
    const generate = detail === 'true' ? describeRoutes : outlineRoutes;
    const document = made.get(detail) ?? generate(routers, version);
    made.set(detail, document);
    // If the code of a package could not be loaded, the next request tries again.
    document.catch(() => made.delete(detail));
    sendBody(response, 200, await document, { 'Content-Type': 'application/openapi+json' });
  });
}

/** Returns only the paths and methods, without loading the API descriptions of packages. */
async function outlineRoutes(routers: readonly OwnedRouter[], version: string): Promise<string> {
  const { openApiOutline } = await import('./document.ts');
  return `${JSON.stringify(openApiOutline(tableOf(routers), version))}\n`;
}

async function describeRoutes(routers: readonly OwnedRouter[], version: string): Promise<string> {
  const { openApi } = await import('./document.ts');
  const described = await Promise.all(
    routers.map(async (each) => ({
      owner: each.owner,
      routes: tableOf([each]),
      operations: await operationsOf(each),
    })),
  );
  return `${JSON.stringify(openApi(described, version))}\n`;
}
