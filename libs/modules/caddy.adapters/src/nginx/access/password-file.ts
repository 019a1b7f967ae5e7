/** Password files for `auth_basic_user_file`. Each line is `name:hash`, as written by `htpasswd`. */
import { readFileSync } from 'node:fs';
import { checkExternalRead, messageOf } from '@sluice/base';
import type { Node } from '../json.ts';
import { problemAt } from '../problem.ts';
import type { Site } from '../site.ts';
import type { Directive } from '../syntax/directive.ts';

/** Returns an `http_basic` provider with the users in a password file. Users whose hash format is not supported cannot log in. */
export function basicProvider(site: Site, directive: Directive, file: string): Node {
  const bcrypt = accountsOf(site, directive, file).filter(({ password }) => /^\$2[abxy]?\$/.test(password));
  return { accounts: bcrypt.map((account) => ({ ...account })) };
}

interface Account {
  readonly username: string;
  readonly password: string;
}

function accountsOf(site: Site, directive: Directive, file: string): Account[] {
  const accounts = new Map<string, Account>();
  for (const [i, line] of read(directive, file).split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [username = '', password = ''] = line.split(':');
    if (!/^\$2[abxy]?\$/.test(password))
      site.adaptation.warn(
        { file, line: i + 1 },
        `password of ${JSON.stringify(username)} is not a bcrypt hash; this user cannot log in. Create one with htpasswd -B`,
      );
    if (!accounts.has(username)) accounts.set(username, { username, password });
  }
  return [...accounts.values()];
}

function read(directive: Directive, file: string): string {
  try {
    checkExternalRead(file);
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw problemAt(directive, `auth_basic_user_file ${file}: ${messageOf(error)}`, error);
  }
}
