/** DNS records for `dns-persist-01` (draft-ietf-acme-dns-persist). One TXT record permanently authorizes an account at a CA. */

export function persistentRecordName(domain: string): string {
  return `_validation-persist.${domain}`;
}

/** Conditions that a `dns-persist-01` record must meet. */
export interface PersistentAuthorization {
  /** Issuer domain names of the CA. The record must contain one of these names. */
  readonly issuerNames: readonly string[];
  /** Account URL. */
  readonly account: string;
  readonly wildcard: boolean;
}

/** Returns the value of a `dns-persist-01` TXT record. The syntax matches CAA issue records (RFC 8659 §4.2). */
export function persistentRecordValue({ issuerNames, account, wildcard }: PersistentAuthorization): string {
  return `${issuerNames[0] ?? ''}; accounturi=${account}${wildcard ? '; policy=wildcard' : ''}`;
}

/** Reports whether a TXT record authorizes the account. `now` is in milliseconds since 1970. */
export function isPersistentRecord(text: string, wanted: PersistentAuthorization, now: number): boolean {
  const [issuer = '', ...parameters] = text.split(';').map((part) => part.trim());
  if (!wanted.issuerNames.some((name) => name.toLowerCase() === issuer.toLowerCase())) return false;
  const values = new Map<string, string>();
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals > 0) values.set(parameter.slice(0, equals).trim().toLowerCase(), parameter.slice(equals + 1).trim());
  }
  const until = values.get('persistuntil');
  if (until !== undefined && !(/^\d+$/.test(until) && Number(until) * 1000 > now)) return false;
  if (wanted.wildcard && values.get('policy')?.toLowerCase() !== 'wildcard') return false;
  return values.get('accounturi') === wanted.account;
}
