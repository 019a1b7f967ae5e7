/** Routes of the dashboard (`/ui/`), and of `/session`, which authenticates the dashboard and `sluice ui`. */
import type { IncomingMessage } from 'node:http';
import { isObject, own, type Json } from '@sluice/base';
import { fleetHandle } from '@sluice/contracts';
import type { AdminRequest, AdminRouter } from '@sluice/registry';
import { bearerOf } from '../access/tokens.ts';
import { authorityOf, targetOf } from '../call.ts';
import { sendPageFile } from '../dashboard/page-files.ts';
import { codeLife } from '../dashboard/sessions.ts';
import { forbidden, requestError } from '../errors.ts';
import { readBody } from '../http/body.ts';
import { parseJsonBody } from '../http/json-body.ts';
import { sendEmpty, sendJson } from '../http/send.ts';
import type { ApiOptions } from '../api-options.ts';

/** Maximum size of a request body that contains a login code, in bytes. */
const codeLimit = 1024;

/**
 * Adds the dashboard routes. The front-end checks allow `GET /ui/…` and `POST /session` for all clients. The other routes require
 * authentication.
 */
export function addDashboardRoutes(
  router: AdminRouter,
  { reconciler, endpoint: { sessions }, pageFile, watchedFile = null }: ApiOptions,
): void {
  router.get('/ui/{*file}', (request, response) => sendPageFile(request, response, targetOf(request).path, pageFile));
  router.get('/session', (request, response) => {
    const { name, permissions } = authorityOf(request);
    const isInFleet = (reconciler.service(fleetHandle)?.membership ?? null) !== null;
    sendJson(response, 200, {
      name,
      permissions,
      ...(watchedFile === null ? {} : { watched_file: watchedFile }),
      ...(isInFleet ? { fleet: true } : {}),
    });
  });
  router.post('/session', async (request, response) => {
    const code = await codeIn(request);
    const session = sessions.open(code);
    if (session === null)
      throw forbidden('invalid code: it was already used, or has expired; run `sluice ui` to get a new code');
    sendJson(response, 200, { token: session.token, expires_in: Math.ceil(session.expiresIn / 1000) });
  });
  router.delete('/session', (request, response) => {
    sessions.end(bearerOf(request) ?? '');
    sendEmpty(response);
  });
  router.post('/session/code', (request, response) => {
    const presented = bearerOf(request);
    // If the endpoint doesn't require authentication, `sluice ui` needs no login code.
    if (presented === null || authorityOf(request).name === null) sendJson(response, 200, { path: '/ui/' });
    else sendJson(response, 200, { path: `/ui/#code=${sessions.makeCode(presented)}`, expires_in: codeLife / 1000 });
  });
}

async function codeIn(request: AdminRequest & IncomingMessage): Promise<string> {
  const body = await readBody(request, codeLimit);
  let value: Json = null;
  try {
    ({ value } = parseJsonBody(body));
  } catch {
    // Ignore the parse error; the code below rejects the request.
  }
  const code = isObject(value) ? own(value, 'code') : undefined;
  if (typeof code !== 'string' || code === '')
    throw requestError('expected {"code": "…"} with a code from `sluice ui`');
  return code;
}
