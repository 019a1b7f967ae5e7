/** `/load` replaces the entire configuration. `/adapt` only converts a configuration to JSON. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { adaptText, shareSubtrees, sourcesOfText, type DocumentSources } from '@sluice/reconciler';
import { isSluiceError, messageOf, type Json } from '@sluice/base';
import type { AdapterWarning } from '@sluice/contracts';
import type { AdminRouter } from '@sluice/registry';
import { asks, changeOptionsOf, confinedAs, targetOf, whileWaited, withDigest } from '../call.ts';
import { requestError } from '../errors.ts';
import { errorCodeField, sendDocument, sendJson } from '../http/send.ts';
import { readBody } from '../http/body.ts';
import { checkIntendedBody, parseJsonBody } from '../http/json-body.ts';
import { subtypeOf } from '../http/media-type.ts';
import { respondToChange, applyEdit, refusal } from './changes.ts';
import type { ApiOptions } from '../api-options.ts';
import { sendConverted } from './converted.ts';
import { readerOf } from './rehearsal-body.ts';
import { withRepeatedKeys } from './repeated-keys.ts';

interface Received {
  readonly document: Json;
  readonly warnings: readonly AdapterWarning[];
  /** Source locations of an adapted document. */
  readonly sources: DocumentSources | null;
  readonly body: Buffer;
  /** Request body, if its format is JSON. */
  readonly json: Buffer | null;
}

/** Adds `POST /load` and `POST /adapt`. */
export function addLoadRoutes(router: AdminRouter, api: ApiOptions): void {
  router.post('/load', (request, response) => load(request, response, api));
  router.post('/adapt', (request, response) => adapt(request, response, api));
}

/** Loads a configuration. Responds with status 200 once the configuration is active, or with 400 and the error that prevents activation. */
async function load(request: IncomingMessage, response: ServerResponse, api: ApiOptions): Promise<void> {
  const asked = { ...changeOptionsOf(request), ...originOf(request, api) };
  const dryRun = asked.dryRun === true;
  const { document, warnings, sources, body, json } = await receive(request, response, api, { isLoad: true });
  const options = withDigest(asked, body);
  if (json === null || body.length === 0) checkIntendedBody(body, document, 'loading config: ');
  const force = /(?:^|,)\s*must-revalidate\s*(?:,|$)/i.test(request.headers['cache-control'] ?? '');
  try {
    const result = await applyEdit(api, (current) => shareSubtrees(current, document), { ...options, force, sources });
    if (!result.changed && !dryRun) api.log.info('configuration is unchanged');
    await respondToChange(response, withRepeatedKeys(result, json, []), warnings, readerOf(request, options));
  } catch (error) {
    const { message, code, status, preciseStatus } = refusal(error, 400, 'loading config', api.log);
    const problem = warnings.length === 0 ? { error: message } : { error: message, warnings };
    sendJson(response, dryRun ? preciseStatus : status, problem, errorCodeField(response, code));
  }
}

/**
 * Returns the origin of a configuration. As in Caddy, the `reload` command sends the file name. If the server started with the same file,
 * that file remains the configuration source.
 */
function originOf(request: IncomingMessage, { configFile = null }: ApiOptions): { readonly origin?: string } {
  const named = request.headers['caddy-config-source-file'];
  return configFile !== null && named === encodeURI(configFile) ? { origin: 'reload' } : {};
}

/**
 * Converts a configuration to native JSON without further validation. With `?sources`, the response includes source locations. Clients may
 * request a different output format.
 */
async function adapt(request: IncomingMessage, response: ServerResponse, api: ApiOptions): Promise<void> {
  const { document, warnings, sources } = await receive(request, response, api, { isLoad: false });
  if (await sendConverted(request, response, document, api)) return;
  const body: Record<string, unknown> = warnings.length === 0 ? { result: document } : { warnings, result: document };
  if (asks(targetOf(request), 'sources')) body['sources'] = sources?.all() ?? {};
  await sendDocument(response, body as unknown as Json);
}

/** Parses a configuration in the format that `Content-Type` specifies. Invalid JSON results in the same status as in Caddy. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { reconciler, bodyLimit }: ApiOptions,
  { isLoad }: { readonly isLoad: boolean },
): Promise<Received> {
  const contentType = request.headers['content-type'] ?? '';
  const format = contentType === '' ? 'json' : subtypeOf(contentType);
  const body = await readBody(request, bodyLimit);
  if (format !== 'json') {
    const task = { format, body, sources: isLoad || asks(targetOf(request), 'sources') };
    const adapted = await confinedAs(request, () => adaptText(reconciler, task, whileWaited(response)));
    const document = JSON.parse(adapted.json) as Json;
    const sources = sourcesOfText(document, adapted, body.toString());
    return { document, warnings: adapted.warnings, sources, body, json: null };
  }
  try {
    const document = parseJsonBody(body).value;
    return { document, warnings: [], sources: null, body, json: body };
  } catch (error) {
    if (!isSluiceError(error)) throw error;
    throw requestError(`${isLoad ? 'loading config: ' : ''}${messageOf(error)}`, isLoad ? 400 : 500);
  }
}
