/** What was encoded before and is sent again: constant texts, and files that are kept in memory. */
import { itemAt } from '@sluice/base';
import { lastingBodies, type HttpEncoder } from '@sluice/http-app';

/** Longest body that is remembered, in bytes. */
export const maxRemembered = 256 * 1024;
/** Longest text that is remembered, in characters. */
const maxText = 64 * 1024;
/** Texts that are remembered, at most. A power of two. */
const slots = 64;

export interface RememberingEncoder {
  readonly encoder: HttpEncoder;
  readonly memory: EncodedMemory;
}

/** A text that was seen; encoded once it was seen again, which shows that it may pay to remember it. */
interface SeenText {
  readonly text: string;
  encoded: Buffer | null;
}

/** Encoded bodies of one encoder. */
export class EncodedMemory {
  /** They live as long as the buffers that they were made of. */
  readonly #buffers = new WeakMap<Buffer, Buffer>();
  /**
   * By a hash of ours: those of V8 are the length alone for long texts, so that a `Map` of pages of one length is a list.
   */
  readonly #texts: (SeenText | null)[] = Array.from({ length: slots }, () => null);

  /** The encoded form of a body, if it is remembered. */
  find(body: string | Buffer): Buffer | null {
    if (typeof body !== 'string') return this.#buffers.get(body) ?? null;
    const seen = itemAt(this.#texts, slotOf(body));
    return seen !== null && seen.encoded !== null && seen.text === body ? seen.encoded : null;
  }

  /** Remembers an encoded form, if the body is likely to be sent again. */
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

/** A place by the length and eight characters. */
function slotOf(text: string): number {
  const { length } = text;
  let hash = length;
  const step = (length >> 3) + 1;
  for (let i = length - 1; i >= 0; i -= step) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash & (slots - 1);
}
