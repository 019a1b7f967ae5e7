/** How `response.json` and `response.send` of routes respond: as the rest of the API does, to the byte. */
import { STATUS_CODES, type ServerResponse } from 'node:http';
import { sendError, sendJson } from './send.ts';

/** The methods of Express's response that are replaced, in one application. */
interface ResponseMethods {
  json(this: ServerResponse, value: unknown): unknown;
  send(this: ServerResponse, body?: unknown): unknown;
}

/**
 * Replaces the methods of the responses of an application. JSON is written as everywhere in the API, and an error has
 * the one form that errors of the API have, whatever a module sends with it.
 */
export function respondByApi(responses: ResponseMethods): void {
  const { send } = responses;
  responses.json = function json(value) {
    const type = this.getHeader('content-type');
    sendJson(this, this.statusCode, value ?? null, typeof type === 'string' ? { 'Content-Type': type } : {});
    return this;
  };
  responses.send = function sendOrRefuse(body) {
    if (this.statusCode < 400 || !isText(body) || isJson(this)) return send.call(this, body);
    for (const name of this.getHeaderNames()) if (isAboutBody(name)) this.removeHeader(name);
    sendError(this, this.statusCode, body.toString().trim() || (STATUS_CODES[this.statusCode] ?? 'error'));
    return this;
  };
}

function isText(body: unknown): body is string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body);
}

function isJson(response: ServerResponse): boolean {
  return /[/+]json\b/i.test(String(response.getHeader('content-type') ?? ''));
}

function isAboutBody(name: string): boolean {
  return /^(?:content-|transfer-encoding$|etag$)/i.test(name);
}
