/** Cache for encoded bodies that are sent repeatedly: constant strings and files kept in memory. */
import { itemAt } from '@sluice/base';
import { lastingBodies, type HttpEncoder } from '@sluice/http-app';

/** Maximum size of a cached body, in bytes. */
export const maxRemembered = 256 * 1024;
/** Maximum length of a cached string, in characters. */
const maxText = 64 * 1024;
/** Maximum number of cached strings. Must be a power of two. */
const slots = 64;

export interface RememberingEncoder {
  readonly encoder: HttpEncoder;
  readonly memory: EncodedMemory;
}

/** A string that was sent once. If it is sent again, its encoding is cached. */
interface SeenText {
  readonly text: string;
  encoded: Buffer | null;
}

export class EncodedMemory {
  /** Encodings by source buffer. An entry is dropped together with its source buffer. */
  readonly #buffers = new WeakMap<Buffer, Buffer>();
  /**
   * Cached strings, indexed by a hash computed in this class. V8 hashes long strings only by their length, so a `Map` would degrade to a
   * list for pages of equal length.
   */
  readonly #texts: (SeenText | null)[] = Array.from({ length: slots }, () => null);

  /** Returns the cached encoding of a body, or null if there is none. */
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

/** Returns the slot for a string, based on its length and eight of its characters. */
function slotOf(text: string): number {
  const { length } = text;
  let hash = length;
  const step = (length >> 3) + 1;
  for (let i = length - 1; i >= 0; i -= step) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash & (slots - 1);
}
