/** Documents in the format that a client asks for, such as `Accept: text/caddyfile`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { convertText } from '@sluice/reconciler';
import { configAdapters } from '@sluice/contracts';
import type { Json } from '@sluice/base';
import { formatsIn } from '../http/accept.ts';
import { sendBody, type Fields } from '../http/send.ts';
import { whileWaited } from '../call.ts';
import type { ApiOptions } from '../api-options.ts';

/**
 * Responds with a document in the first format asked for whose adapter has a way back; false if there is none. The field
 * `Conversion` says whether what was made gives the very document, and how many places of it do not.
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
