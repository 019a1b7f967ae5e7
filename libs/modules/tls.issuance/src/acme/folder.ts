/** Storage keys of ACME accounts. They are compatible with Caddy, so an existing storage can be reused. */
import { safeSegment } from '@sluice/contracts';

/** Returns the storage key segment of a CA, derived from its directory URL, for example `acme-v02.api.letsencrypt.org-directory`. */
export function folderOf(ca: string): string {
  const { host, pathname } = new URL(ca);
  return safeSegment((host + pathname).replace(/[:/]+/g, '-').replace(/^-|-$/g, ''));
}

/** Returns the storage key of an account, without the suffixes `.json` and `.key`: `acme/<ca>/users/me@example.com/me`. */
export function accountKeyOf(ca: string, email: string): string {
  const user = email === '' ? 'default' : email;
  const name = user.split('@', 1)[0] || user;
  return `acme/${folderOf(ca)}/users/${readable(user)}/${readable(name)}`;
}

/** Returns a readable storage key segment. Most email addresses are valid segments and remain unchanged. */
function readable(text: string): string {
  return /^[a-z0-9_+-][a-z0-9_.@+-]*$/.test(text) ? text : safeSegment(text);
}
