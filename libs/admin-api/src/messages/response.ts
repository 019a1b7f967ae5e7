/**
 * Response class of the admin API. Routes from packages call Express's response methods. In this class, these methods produce bodies and
 * headers in the format of the admin API.
 */
import { STATUS_CODES } from 'node:http';
import type { AdminResponse } from '@sluice/registry';
import { CompressibleResponse } from '../http/compressed.ts';
import type { ApiRequest } from './request.ts';
import { sendBody, sendError, sendJson } from '../http/send.ts';

export class ApiResponse extends CompressibleResponse<ApiRequest> implements AdminResponse {
  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  set(name: string, value: string): this {
    return this.setHeader(name, value);
  }

  type(type: string): this {
    return this.set('Content-Type', type);
  }

  json(value: unknown): this {
    const type = this.#type;
    sendJson(this, this.statusCode, value ?? null, type === undefined ? {} : { 'Content-Type': type });
    return this;
  }

  send(body: string | Buffer): this {
    if (this.statusCode >= 400 && !/[/+]json\b/i.test(this.#type ?? '')) {
      this.#sendError(body.toString().trim());
      return this;
    }
    if (typeof body === 'string') this.type(withCharset(this.#type ?? 'text/html'));
    else this.type(this.#type ?? 'application/octet-stream');
    sendBody(this, this.statusCode, body);
    return this;
  }

  get #type(): string | undefined {
    return this.getHeader('Content-Type')?.toString();
  }

  /** Sends an error in the common error format. Removes headers that describe the route's own body. */
  #sendError(message: string): void {
    for (const name of this.getHeaderNames())
      if (/^(?:content-|transfer-encoding$|etag$)/i.test(name)) this.removeHeader(name);
    sendError(this, this.statusCode, message || (STATUS_CODES[this.statusCode] ?? 'error'));
  }
}

/** Adds a UTF-8 charset to the content type of a string body. */
function withCharset(type: string): string {
  return /;\s*charset=/i.test(type) ? type : `${type}; charset=utf-8`;
}
