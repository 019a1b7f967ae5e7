/**
 * Implements `GET /openapi.json`, which describes the admin API of this server (OpenAPI 3.1). The description includes the routes of all
 * packages.
 */
import type { AdminRouter } from '@sluice/registry';
import { requestError } from '../errors.ts';
import { sendBody } from '../http/send.ts';
import type { ApiOptions } from '../api-options.ts';
import { tableOf, type OwnedRouter } from '../routes/contributed.ts';

/**
 * Adds the `GET /openapi.json` route. Generates the description on the first request and caches it, because routes don't change while a
 * server runs.
 */
export function addOpenApiRoute(router: AdminRouter, routers: readonly OwnedRouter[], { version }: ApiOptions): void {
  let made: Promise<string> | null = null;
  let outline: Promise<string> | null = null;
  router.get('/openapi.json', async (request, response) => {
    const [detail = 'true'] = [request.query['detail'] ?? []].flat();
    if (detail !== 'true' && detail !== 'false')
      throw requestError(`detail must be true or false, not ${JSON.stringify(detail)}`);
    const document =
      detail === 'true' ? (made ??= describeRoutes(routers, version)) : (outline ??= outlineRoutes(routers, version));
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
    routers.map(async ({ owner, router, describe }) => ({
      owner,
      routes: tableOf([{ owner, router, describe }]),
      operations: await describe(),
    })),
  );
  return `${JSON.stringify(openApi(described, version))}\n`;
}
