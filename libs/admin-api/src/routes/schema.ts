/** `GET /schema`: the JSON Schema of the configuration, with every module of this server. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { configSchema } from '@sluice/registry';
import { methodOf } from '../call.ts';
import { requestError } from '../errors.ts';
import { answerBody } from '../http/answer.ts';
import type { ApiOptions } from './changes.ts';

/** Makes the route; the schema is made when it is first asked for, as modules do not change while a server runs. */
export function schemaHandler({
  engine,
  version,
}: ApiOptions): (request: IncomingMessage, response: ServerResponse) => void {
  let text: string | null = null;
  return (request, response) => {
    if (methodOf(request) !== 'GET') throw requestError(`method ${methodOf(request)} not allowed`, 405);
    text ??= `${JSON.stringify({ ...configSchema(engine.registry), $comment: `sluice ${version}` })}\n`;
    answerBody(response, 200, text, { 'Content-Type': 'application/schema+json' });
  };
}
