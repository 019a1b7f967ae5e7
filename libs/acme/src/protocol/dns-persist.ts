/** Records for `dns-persist-01` (draft-ietf-acme-dns-persist). One TXT record authorizes an account at a CA permanently. */

export function persistentRecordName(domain: string): string {
  return `_validation-persist.${domain}`;
}

/** Requirements for a record. */
export interface PersistentAuthorization {
  /** CA names. The record contains one of these names. */
  readonly issuerNames: readonly string[];
  /** Account URL. */
  readonly account: string;
  readonly wildcard: boolean;
}

/** Returns the record value. The syntax is the same as for CAA issue records (RFC 8659 §4.2). */
export function persistentRecordValue({ issuerNames, account, wildcard }: PersistentAuthorization): string {
  return `${issuerNames[0] ?? ''}; accounturi=${account}${wildcard ? '; policy=wildcard' : ''}`;
}

/** Reports whether a record authorizes the account. `now`: milliseconds since 1970. */
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
