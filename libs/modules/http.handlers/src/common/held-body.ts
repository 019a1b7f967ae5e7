/** A response body that is buffered in memory, for the `intercept` and `templates` handlers. */
import { HttpError, type Chunk, type ResponseWriter } from '@sluice/http-app';

/** Maximum buffered size in bytes or characters. A larger body causes a response with status 500. */
const maxHeld = 64 * 1024 * 1024;

export class HeldBody {
  #chunks: Chunk[] = [];
  #size = 0;

  /** Adds a chunk, which the caller must not change afterwards. Data beyond the maximum size is dropped, and reading the body then fails. */
  add(chunk: Chunk): void {
    this.#size += chunk.length;
    if (this.#size > maxHeld) this.#chunks = [];
    else this.#chunks.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk));
  }

  /** Returns the body as a string. `decode` converts bytes to text. */
  text(decode: (bytes: Buffer) => string): string {
    this.#check();
    if (this.#chunks.every((chunk) => typeof chunk === 'string')) return this.#chunks.join('');
    return decode(Buffer.concat(this.#chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))));
  }

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
        `a response body exceeds the buffer limit of ${maxHeld} bytes: change the matcher so that it excludes large responses`,
      );
  }
}
