/** Response to a replayed request. It is composed in the same way as a response to a client, and its body is hashed. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Chunk, ClientGoneError } from '@sluice/http-app';
import { ComposedResponse } from '../composed-response.ts';

/** Number of body bytes to keep for detecting variable parts. */
const keptSize = 64 * 1024;
/** Maximum number of body bytes to hash. The rest of the body is not read. */
const maxSize = 4 * 1024 * 1024;
/** Number of body bytes to process in each event loop turn. */
const turnSize = 256 * 1024;

export class ShadowResponse extends ComposedResponse {
  readonly #hash = createHash('sha256');
  readonly #kept: Buffer[] = [];
  #written = 0;
  #turn = 0;

  override get gone(): boolean {
    return this.isLarge;
  }

  /** True if the rest of the body was not read. */
  get isLarge(): boolean {
    return this.#written >= maxSize;
  }

  /** Returns the hash of the body. Also returns the body itself if it is small. Call this method only once. */
  body(): { readonly hash: string; readonly content: Buffer | null } {
    return {
      hash: this.#hash.digest('base64url'),
      content: this.size <= keptSize ? Buffer.concat(this.#kept) : null,
    };
  }

  async drained(): Promise<void> {
    if (this.isLarge) throw new ClientGoneError();
    this.#turn = 0;
    await nextTurn();
  }

  protected get hasRoom(): boolean {
    return !this.isLarge && this.#turn < turnSize;
  }

  protected take(chunk: Chunk): void {
    const bytes = Buffer.from(chunk as Buffer);
    this.#turn += bytes.length;
    const piece = bytes.subarray(0, Math.max(0, maxSize - this.#written));
    this.#written += piece.length;
    // The response to a HEAD request has no body.
    if (!this.wire.hasBody(this.status === 0 ? 200 : this.status)) return;
    this.#hash.update(piece);
    if (this.size <= keptSize) this.#kept.push(piece);
    this.size += piece.length;
  }
}
