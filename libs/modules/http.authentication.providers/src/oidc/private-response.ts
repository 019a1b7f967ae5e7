/** Adds a session cookie to a response just before its headers are sent. */
import { ResponseFilter, type Chunk, type ResponseWriter } from '@sluice/http-app';
import { putCookies } from './cookies.ts';

/** Matches names of response headers that control only shared caches (RFC 9213). */
const targeted = /^(?:.*cdn-cache-control|surrogate-control)$/;

/**
 * Marks a response as private if it sets a cookie. Otherwise, a cache could store the response and send the cookie to other users. Cache
 * handlers that run after this filter do not receive the cookie.
 */
export class PrivateResponse extends ResponseFilter {
  readonly #cookies: readonly string[];

  /** `cookies` contains `Set-Cookie` lines. */
  constructor(inner: ResponseWriter, cookies: readonly string[]) {
    super(inner);
    this.#cookies = cookies;
  }

  override writeHead(status: number): void {
    if (this.inner.status === 0) {
      putCookies(this.headers, this.#cookies);
      this.headers.set('cache-control', 'private, no-cache');
      this.headers.deleteWhere((name) => targeted.test(name));
    }
    this.inner.writeHead(status);
  }

  override write(chunk: Chunk): boolean {
    if (this.inner.status === 0) this.writeHead(200);
    return this.inner.write(chunk);
  }

  override end(chunk?: Chunk): void {
    if (this.inner.status === 0 && !this.inner.ended) this.writeHead(200);
    this.inner.end(chunk);
  }
}
