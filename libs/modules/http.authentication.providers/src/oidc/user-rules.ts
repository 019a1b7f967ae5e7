/** Rules for session users: claims to store, placeholders, request headers and access rules. */
import { isArray, isToken, type Json, type JsonObject } from '@sluice/base';
import type { User } from '@sluice/http-app';
import type { Context, Options } from '@sluice/registry';
import { claimAt, userOf } from '../common/claims.ts';
import type { oidcOptions } from './options.ts';

export interface SessionUser {
  readonly user: User;
  /** Request headers, as alternating lowercase names and values. */
  readonly fields: readonly string[];
  /** Reason for denying access, or `null` if access is allowed. */
  readonly denial: string | null;
}

type Pair = readonly [claim: string, name: string];

export class UserRules {
  /** Names of the request headers that the rules set, in lowercase. */
  readonly fieldNames: readonly string[];
  readonly #userClaims: readonly string[];
  readonly #metadata: readonly Pair[];
  readonly #fields: readonly Pair[];
  readonly #groupsClaim: string;
  readonly #groups: ReadonlySet<string>;
  readonly #emails: ReadonlySet<string>;
  readonly #domains: ReadonlySet<string>;
  readonly #allowsUnverified: boolean;
  readonly #kept: readonly string[];

  constructor(config: Options<typeof oidcOptions>, context: Context) {
    this.#groupsClaim = config.groups_claim || 'groups';
    const names = (config.user_claims ?? []).filter((each) => each !== '');
    this.#userClaims = names.length === 0 ? ['sub'] : names;
    this.#metadata = pairs(config.meta_claims) ?? [
      ...['name', 'email', 'preferred_username'].map((each): Pair => [each, each]),
      [this.#groupsClaim, 'groups'],
    ];
    this.#fields = (pairs(config.claim_headers) ?? []).map(([name, claim]) => [claim, name.toLowerCase()]);
    for (const [claim, name] of this.#metadata)
      if (claim === '' || name === '')
        throw context.error('requires a claim name and a placeholder name', 'meta_claims', claim);
    for (const [claim, name] of this.#fields)
      if (claim === '' || !isToken(name))
        throw context.error('requires a header field name and a claim name', 'claim_headers', name);
    this.fieldNames = this.#fields.map(([, name]) => name);
    this.#groups = new Set(config.allowed_groups ?? []);
    this.#emails = new Set((config.allowed_emails ?? []).map((each) => each.toLowerCase()));
    this.#domains = new Set((config.allowed_domains ?? []).map((each) => each.toLowerCase().replace(/^@/, '')));
    this.#allowsUnverified = config.allow_unverified_email === true;
    const used = [...this.#metadata, ...this.#fields].map(([claim]) => claim);
    this.#kept = [...new Set(['sub', 'email', 'email_verified', this.#groupsClaim, ...this.#userClaims, ...used])];
  }

  /** Returns the claims to store in a session, by claim path. */
  keep(claims: JsonObject): JsonObject {
    const kept: Record<string, Json> = {};
    for (const path of this.#kept) {
      const value = claimAt(claims, path);
      if (value !== undefined && value !== null) kept[path] = value;
    }
    return kept;
  }

  userOf(claims: JsonObject): SessionUser {
    const id = userOf(claims, this.#userClaims);
    const metadata: Record<string, string> = {};
    for (const [claim, name] of this.#metadata) metadata[name] = safeText(claims[claim]);
    const fields: string[] = [];
    for (const [claim, name] of this.#fields) {
      const value = safeText(claims[claim]);
      if (value !== '') fields.push(name, value);
    }
    return { user: { id: clean(id ?? ''), metadata }, fields, denial: this.#denialOf(claims, id) };
  }

  #denialOf(claims: JsonObject, id: string | null): string | null {
    if (id === null) return `no claim ${this.#userClaims.join(' or ')}`;
    if (this.#groups.size > 0) {
      const groups = claims[this.#groupsClaim];
      const all = isArray(groups) ? groups : [groups];
      if (!all.some((each) => typeof each === 'string' && this.#groups.has(each)))
        return 'the user is in none of the allowed groups';
    }
    return this.#emails.size + this.#domains.size === 0 ? null : this.#emailDenial(claims);
  }

  #emailDenial({ email, email_verified: verified }: JsonObject): string | null {
    if (typeof email !== 'string') return 'no email address';
    if (verified !== true && verified !== 'true' && !this.#allowsUnverified) return 'the email address is not verified';
    const address = email.toLowerCase();
    const isAllowed = this.#emails.has(address) || this.#domains.has(address.slice(address.lastIndexOf('@') + 1));
    return isAllowed && address.includes('@') ? null : 'the email address is not allowed';
  }
}

function pairs(of: Readonly<Record<string, string | null | undefined>> | null | undefined): readonly Pair[] | null {
  return of == null ? null : Object.entries(of).map(([key, value]) => [key, value ?? ''] as const);
}

/** Returns a claim as a single line of text. Omits list elements that contain a comma, because a reader would split them. */
function safeText(value: Json | undefined): string {
  const all = isArray(value) ? value.filter((each) => typeof each !== 'string' || !each.includes(',')) : [value];
  const texts = all.map((each) => (typeof each === 'object' || each === undefined ? '' : clean(String(each))));
  return texts.filter((each) => each !== '').join(',');
}

/** Replaces control characters, which could start a new header. */
function clean(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
