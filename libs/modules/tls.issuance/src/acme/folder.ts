/** Where accounts are kept: as the reference does, so that a storage can be taken over. */
import { safeSegment } from '@sluice/contracts';

/** Name of a CA in keys: host and path of its directory, `acme-v02.api.letsencrypt.org-directory`. */
export function folderOf(ca: string): string {
  const { host, pathname } = new URL(ca);
  return safeSegment((host + pathname).replace(/[:/]+/g, '-').replace(/^-|-$/g, ''));
}

/** Keys of an account, without their ends `.json` and `.key`: `acme/<ca>/users/me@example.com/me`. */
export function accountKeyOf(ca: string, email: string): string {
  const user = email === '' ? 'default' : email;
  const name = user.split('@', 1)[0] || user;
  return `acme/${folderOf(ca)}/users/${readable(user)}/${readable(name)}`;
}

/** As it is where that is a segment of a key, as mail addresses usually are. */
function readable(text: string): string {
  return /^[a-z0-9_+-][a-z0-9_.@+-]*$/.test(text) ? text : safeSegment(text);
}
