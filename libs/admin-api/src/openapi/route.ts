/** `GET /openapi.json`: what the admin API of this server is, with the routes of all packages (OpenAPI 3.1). */
import type { AdminRouter } from '@sluice/registry';
import { sendBody } from '../http/send.ts';
import type { ApiOptions } from '../routes/changes.ts';
import { tableOf, type OwnedRouter, type ReadableRouter } from '../routes/contributed.ts';

/** Adds the route; the description is made when it is first asked for, as routes do not change while a server runs. */
export function addOpenApiRoute(
  router: AdminRouter,
  routers: readonly OwnedRouter<ReadableRouter>[],
  { version }: ApiOptions,
): void {
  let made: Promise<string> | null = null;
  router.get('/openapi.json', async (_request, response) => {
    made ??= describeRoutes(routers, version);
    sendBody(response, 200, await made, { 'Content-Type': 'application/openapi+json' });
  });
}

async function describeRoutes(routers: readonly OwnedRouter<ReadableRouter>[], version: string): Promise<string> {
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
