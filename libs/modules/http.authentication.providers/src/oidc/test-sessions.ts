/** Sessions for `sluice test`, which need no OpenID provider. A test case declares the claims as JSON in the session cookie. */
import { isObject, type Json } from '@sluice/base';
import type { Sealer } from './sealing-keys.ts';
import { writeSession } from './session.ts';
import { nowInSeconds } from './sign-in.ts';
import type { UserRules } from './user-rules.ts';

export class TestSessions implements Sealer {
  readonly #rules: UserRules;

  constructor(rules: UserRules) {
    this.#rules = rules;
  }

  seal(text: string): string {
    return Buffer.from(text).toString('base64url');
  }

  open(sealed: string): string | null {
    if (!sealed.startsWith('{')) return Buffer.from(sealed, 'base64url').toString();
    let claims: Json;
    try {
      claims = JSON.parse(sealed) as Json;
    } catch {
      return null;
    }
    if (!isObject(claims)) return null;
    const now = nowInSeconds();
    const kept = this.#rules.keep(claims);
    return writeSession({ claims: kept, start: now, seen: now, refreshToken: '', expiry: 0, refreshAt: 0 });
  }
}
