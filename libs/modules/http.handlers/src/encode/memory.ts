/** Cache of encoded bodies that are sent repeatedly: constant strings, and files kept in memory. */
import { itemAt } from '@sluice/base';
import { lastingBodies, type HttpEncoder } from '@sluice/http-app';

/** Maximum size of a cached body, in bytes. */
export const maxRemembered = 256 * 1024;
/** Maximum length of a cached string, in characters. */
const maxText = 64 * 1024;
/** Maximum number of cached strings. A power of two. */
const slots = 64;

export interface RememberingEncoder {
  readonly encoder: HttpEncoder;
  readonly memory: EncodedMemory;
}

/** A string that was sent once. Its encoding is cached when it is sent again. */
interface SeenText {
  readonly text: string;
  encoded: Buffer | null;
}

export class EncodedMemory {
  /** Entries are dropped with their source buffers. */
  readonly #buffers = new WeakMap<Buffer, Buffer>();
  /**
   * Indexed by our own hash: V8 hashes long strings by their length only, so a `Map` would degrade to a list for pages
   * of equal length.
   */
  readonly #texts: (SeenText | null)[] = Array.from({ length: slots }, () => null);

  /** Returns the cached encoding of a body, if any. */
  find(body: string | Buffer): Buffer | null {
    if (typeof body !== 'string') return this.#buffers.get(body) ?? null;
    const seen = itemAt(this.#texts, slotOf(body));
    return seen !== null && seen.encoded !== null && seen.text === body ? seen.encoded : null;
  }

  /** Caches an encoding if the body is likely to be sent again. */
  keep(body: string | Buffer, encoded: Buffer): void {
    if (typeof body !== 'string') {
      if (body.length <= maxRemembered && lastingBodies.has(body)) this.#buffers.set(body, encoded);
      return;
    }
    if (body.length > maxText) return;
    const slot = slotOf(body);
    const seen = itemAt(this.#texts, slot);
    if (seen !== null && seen.text === body) seen.encoded = encoded;
    else this.#texts[slot] = { text: body, encoded: null };
  }
}

/** Returns a slot based on the length and eight characters. */
function slotOf(text: string): number {
  const { length } = text;
  let hash = length;
  const step = (length >> 3) + 1;
  for (let i = length - 1; i >= 0; i -= step) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash & (slots - 1);
}
