/** Converts documents to the format that the client requests, for example with `Accept: text/caddyfile`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { convertText } from '@sluice/reconciler';
import { configAdapters } from '@sluice/contracts';
import type { Json } from '@sluice/base';
import { formatsIn } from '../http/accept.ts';
import { sendBody, type Fields } from '../http/send.ts';
import { whileWaited } from '../call.ts';
import type { ApiOptions } from '../api-options.ts';

/**
 * Sends a document in the first requested format that an adapter supports. Returns false if there is no such format. The `Conversion`
 * header reports whether the result reproduces the document exactly, and the number of differences.
 */
export async function sendConverted(
  request: IncomingMessage,
  response: ServerResponse,
  document: Json,
  { reconciler, fields = {} }: Pick<ApiOptions, 'reconciler'> & { readonly fields?: Fields },
): Promise<boolean> {
  for (const format of formatsIn(request.headers.accept)) {
    if (reconciler.registry.find(configAdapters, format) === undefined) continue;
    const body = Buffer.from(JSON.stringify(document));
    const converted = await convertText(reconciler, { format, body }, whileWaited(response));
    if (converted === null) continue;
    const { verdict, differences, text } = converted;
    const places = differences === 0 ? '' : `; places=${differences}`;
    const type = { 'Content-Type': `text/${format}; charset=utf-8`, Conversion: `${verdict}${places}`, Vary: 'Accept' };
    sendBody(response, 200, text, { ...fields, ...type });
    return true;
  }
  return false;
}
