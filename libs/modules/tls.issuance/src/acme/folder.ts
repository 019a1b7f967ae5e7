/** Storage locations of accounts, compatible with Caddy, so that an existing storage can be reused. */
import { safeSegment } from '@sluice/contracts';

/** Returns the storage name of a CA, formed from its directory URL: `acme-v02.api.letsencrypt.org-directory`. */
export function folderOf(ca: string): string {
  const { host, pathname } = new URL(ca);
  return safeSegment((host + pathname).replace(/[:/]+/g, '-').replace(/^-|-$/g, ''));
}

/** Returns the account keys without `.json` and `.key`: `acme/<ca>/users/me@example.com/me`. */
export function accountKeyOf(ca: string, email: string): string {
  const user = email === '' ? 'default' : email;
  const name = user.split('@', 1)[0] || user;
  return `acme/${folderOf(ca)}/users/${readable(user)}/${readable(name)}`;
}

/** Returns the string if it is a valid key segment, as most email addresses are. */
function readable(text: string): string {
  return /^[a-z0-9_+-][a-z0-9_.@+-]*$/.test(text) ? text : safeSegment(text);
}
