/** A response body that a handler holds back in memory: used by `intercept` and `templates`. */
import { HttpError, type Chunk, type ResponseWriter } from '@sluice/http-app';

/** Largest body that is held back, in bytes (or characters, as it came). More fails with status 500. */
const maxHeld = 64 * 1024 * 1024;

/** Collects the chunks of a body. */
export class HeldBody {
  #chunks: Chunk[] = [];
  #size = 0;

  /** Adds a chunk, which must not change afterwards. What is too much is dropped; reading the body then fails. */
  add(chunk: Chunk): void {
    this.#size += chunk.length;
    if (this.#size > maxHeld) this.#chunks = [];
    else this.#chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk));
  }

  /** The body as a text; `decode` makes texts of bytes. */
  text(decode: (bytes: Buffer) => string): string {
    this.#check();
    if (this.#chunks.every((chunk) => typeof chunk === 'string')) return this.#chunks.join('');
    return decode(Buffer.concat(this.#chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))));
  }

  /** Writes the body and ends the response. */
  sendTo(response: ResponseWriter): void {
    this.#check();
    const last = this.#chunks.pop();
    for (const chunk of this.#chunks) response.write(chunk);
    response.end(last);
  }

  #check(): void {
    if (this.#size > maxHeld)
      throw new HttpError(
        500,
        `a response body of more than ${maxHeld} bytes cannot be held back: match fewer responses`,
      );
  }
}
