/** Compares two responses part by part. */
import { createHash } from 'node:crypto';
import { isSecretField, redacted, type Json } from '@sluice/base';
import type { HeaderMap } from '@sluice/http1';
import type { Aspect, Difference } from '../behavior/types.ts';
import type { Played } from './play.ts';

/** Fields of the connection, and fields that follow from the body. */
const ignored: ReadonlySet<string> = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding']);

/** Fields whose values follow from the body, so that only their presence is compared. */
const validators: ReadonlySet<string> = new Set(['etag', 'last-modified']);

/** Differences of `after` from `before` by the name of the part, such as `status`, `body` and `header server`. */
export type Parts = ReadonlyMap<string, Difference>;

/** Compares two responses. `mask` ignores the variable parts of a text body. */
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
  // A different status implies a different body.
  if (before.status === after.status && before.hash !== after.hash && mask?.covers(after) !== true)
    parts.set('body', { aspect: 'body', name: '', before: null, after: null });
  return parts;
}

/** Returns how a response ended without being complete; `null` if it is complete. */
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
  // The value of a cookie is usually random; its name and attributes are configuration.
  if (name === 'set-cookie') return value.replace(/=[^;]*/, `=${redacted}`);
  if (!isSecretField(name)) return value;
  return `${redacted} (${createHash('sha256').update(value).digest('hex').slice(0, 8)})`;
}

/** Variable parts of a text body, found by comparing two responses of the same configuration. */
export class BodyMask {
  readonly #steady: readonly (string | null)[];

  private constructor(steady: readonly (string | null)[]) {
    this.#steady = steady;
  }

  /** Returns `null` if the bodies differ in their structure, or are too large to compare. */
  static between(first: Played, second: Played): BodyMask | null {
    const [tokens, others] = [tokensOf(first), tokensOf(second)];
    if (tokens === null || others === null || tokens.length !== others.length) return null;
    const steady = tokens.map((token, i) => (token === others[i] ? token : null));
    return new BodyMask(steady);
  }

  /** Reports whether a body differs from the compared ones only in variable parts. */
  covers(played: Played): boolean {
    const tokens = tokensOf(played);
    return (
      tokens !== null &&
      tokens.length === this.#steady.length &&
      this.#steady.every((token, i) => token === null || token === tokens[i])
    );
  }
}

/** Splits a body into words and the text in between. The result is correct, but not useful, for binary data. */
function tokensOf({ content }: Played): string[] | null {
  return content === null ? null : content.toString('latin1').split(/([^\w.:+-]+)/);
}
