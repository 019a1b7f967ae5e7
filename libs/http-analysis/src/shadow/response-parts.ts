/** Compares two responses part by part: status, headers, and body. */
import { createHash } from 'node:crypto';
import { isSecretField, redacted, type Json } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import type { Aspect, Difference } from '../behavior/types.ts';
import type { Played } from './play.ts';

/** Headers that depend on the connection or the body, which the comparison ignores. */
const ignored: ReadonlySet<string> = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

/** Headers whose values depend on the body. Only their presence is compared. */
const validators: ReadonlySet<string> = new Set(['etag', 'last-modified']);

/** Differences between two responses. The keys are names of parts, such as `status`, `body`, and `header server`. */
export type Parts = ReadonlyMap<string, Difference>;

/** Compares two responses. `mask` excludes the variable parts of a text body. */
export function partsBetween(before: Played, after: Played, mask: BodyMask | null = null): Parts {
  const parts = new Map<string, Difference>();
  const compare = (aspect: Aspect, name: string, was: Json, is: Json): void => {
    if (was !== is) parts.set(name === '' ? aspect : `${aspect} ${name}`, { aspect, name, before: was, after: is });
  };
  compare('connection', '', endOf(before), endOf(after));
  if (parts.size > 0) return parts;
  compare('status', '', before.status, after.status);
  const [was, is] = [fieldsOf(before.headers), fieldsOf(after.headers)];
  for (const name of new Set([...was.keys(), ...is.keys()]))
    compare(name === 'location' ? 'redirect' : 'header', name, was.get(name) ?? null, is.get(name) ?? null);
  // A different status implies a different body, so only compare bodies if the status is equal.
  if (before.status === after.status && before.hash !== after.hash && mask?.covers(after) !== true)
    parts.set('body', { aspect: 'body', name: '', before: null, after: null });
  return parts;
}

/** Returns how an incomplete response ended. Returns `null` if the response is complete. */
function endOf({ end }: Played): string | null {
  return end === 'closed' || end === 'timeout' ? end : null;
}

function fieldsOf(headers: HeaderMap): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of headers) {
    if (ignored.has(name)) continue;
    const shown = validators.has(name) ? 'present' : withoutSecret(name, value);
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? shown : `${earlier}, ${shown}`);
  }
  return fields;
}

function withoutSecret(name: string, value: string): string {
  // Redact the value of a cookie, because it is usually random. Its name and attributes come from the configuration.
  if (name === 'set-cookie') return value.replace(/=[^;]*/, `=${redacted}`);
  if (!isSecretField(name)) return value;
  return `${redacted} (${createHash('sha256').update(value).digest('hex').slice(0, 8)})`;
}

/** Variable parts of a text body. They are found by comparing two responses of the same configuration. */
export class BodyMask {
  readonly #steady: readonly (string | null)[];

  private constructor(steady: readonly (string | null)[]) {
    this.#steady = steady;
  }

  /** Compares two bodies. Returns `null` if they differ in their structure or are too large to compare. */
  static between(first: Played, second: Played): BodyMask | null {
    const [tokens, others] = [tokensOf(first), tokensOf(second)];
    if (tokens === null || others === null || tokens.length !== others.length) return null;
    const steady = tokens.map((token, i) => (token === others[i] ? token : null));
    return new BodyMask(steady);
  }

  /** Reports whether a body differs from the two compared bodies only in the variable parts. */
  covers(played: Played): boolean {
    const tokens = tokensOf(played);
    return (
      tokens !== null &&
      tokens.length === this.#steady.length &&
      this.#steady.every((token, i) => token === null || token === tokens[i])
    );
  }
}

/** Splits a body into words and the text between them. Also accepts binary data, but the result is then not useful. */
function tokensOf({ content }: Played): string[] | null {
  return content === null ? null : content.toString('latin1').split(/([^\w.:+-]+)/);
}
