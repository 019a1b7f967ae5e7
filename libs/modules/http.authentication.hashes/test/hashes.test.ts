import { expect } from 'chai';
import { passwordHashes, type PasswordHash } from '@sluice/http-app';
import { Registry } from '@sluice/registry';
import { register } from '@sluice/http.authentication.hashes';

const registry = new Registry().use(register);

async function hash(name: string): Promise<PasswordHash> {
  const module = registry.find(passwordHashes, name);
  if (module === undefined) throw new Error(`no ${name}`);
  return (await module.load()).provision({} as never, null as never) as PasswordHash;
}

/** Hashes created with `caddy hash-password`. */
const known: readonly [algorithm: string, hash: string][] = [
  ['argon2id', '$argon2id$v=19$m=47104,t=1,p=1$UxZUlr4yswnchb68F/HrAQ$y0vY3zaITyw7Su1IvT4NQ7kODPbdE1uY7XGUHpDbRto'],
  ['bcrypt', '$2a$05$8Xmt0JIh7FjjWgZvf7IBhubI.s2jyq6kKyIRyruhtXpdtJVDW4/yG'],
];

describe('http.authentication.hashes', () => {
  for (const [algorithm, stored] of known) {
    it(`${algorithm} verifies a hash created by Caddy`, async () => {
      expect(await (await hash(algorithm)).verify(stored, 'open sesame')).to.equal(true);
      expect(await (await hash(algorithm)).verify(stored, 'open sesamf')).to.equal(false);
      expect(await (await hash(algorithm)).verify(stored, '')).to.equal(false);
    });
  }

  const costs: readonly [algorithm: string, like: string, cost: RegExp][] = [
    ['bcrypt', known[1]?.[1] ?? '', /^\$2a\$05\$/],
    ['bcrypt', 'nothing to go by', /^\$2a\$10\$/],
    ['argon2id', '$argon2id$v=19$m=64,t=2,p=3$c2FsdA$aGFzaA', /^\$argon2id\$v=19\$m=64,t=2,p=3\$/],
    ['argon2id', 'nothing to go by', /^\$argon2id\$v=19\$m=47104,t=1,p=1\$/],
  ];
  for (const [algorithm, like, cost] of costs) {
    it(`the decoy hash of ${algorithm} for "${like}" has the same cost and matches no password`, async () => {
      const module = await hash(algorithm);
      const decoy = module.decoy(like);
      expect(decoy).to.match(cost);
      expect(decoy).not.to.equal(like);
      expect(await module.verify(decoy, 'open sesame')).to.equal(false);
    });
  }

  // Hashes created with OpenSSL and with htpasswd of Apache 2.4. The {SSHA} hash was computed from its definition.
  const ofHtpasswd: readonly [format: string, hash: string][] = [
    ['apr1', '$apr1$lZL6V/ci$PR6QJXkRFUzdUuaYcwrI//'],
    ['MD5 crypt', '$1$abcdefgh$cHJi5PXp/ki/ktXzqlk6I1'],
    ['SHA', '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ='],
    ['SSHA', '{SSHA}1G904nLkTkGWjKNnQuB/hpWXC/hzYWx0c2FsdA=='],
    ['bcrypt', '$2y$05$auIRDvKBWXEzSekuOjBta.YMuJ3.tR04KJkxeE/xpFbebf1p9fgYa'],
  ];
  for (const [format, stored] of ofHtpasswd) {
    it(`htpasswd verifies a hash in ${format} format`, async () => {
      expect(await (await hash('htpasswd')).verify(stored, 'secret')).to.equal(true);
      expect(await (await hash('htpasswd')).verify(stored, 'secreu')).to.equal(false);
      expect(await (await hash('htpasswd')).verify(stored, '')).to.equal(false);
    });
  }

  // Hashes created with OpenSSL from passwords that are not ASCII or are longer than a digest.
  const longer: readonly [password: string, hash: string][] = [
    ['a long password of more than sixteen bytes', '$apr1$Ab3./xyz$Vk.HZDp9tQXe4CdqVSjxL0'],
    ['x', '$apr1$Ab3./xyz$zQsmp2YkUxdbmrYl0LPL90'],
    ['pässwörd', '$apr1$Ab3./xyz$w/OGWKN18ufHCo4fAOseC/'],
  ];
  for (const [password, stored] of longer) {
    it(`htpasswd verifies the apr1 hash of ${password}`, async () => {
      expect(await (await hash('htpasswd')).verify(stored, password)).to.equal(true);
      expect(await (await hash('htpasswd')).verify(stored, `${password}x`)).to.equal(false);
    });
  }

  it('the htpasswd decoy has the same cost as the known hash and matches no password', async () => {
    const module = await hash('htpasswd');
    expect(module.decoy('{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=')).to.match(/^\$apr1\$/);
    expect(module.decoy('$2y$05$8Xmt0JIh7FjjWgZvf7IBhubI.s2jyq6kKyIRyruhtXpdtJVDW4/yG')).to.match(/^\$2y\$05\$/);
    for (const like of ['', '$2y$04$x']) expect(await module.verify(module.decoy(like), 'secret')).to.equal(false);
  });

  for (const name of ['bcrypt', 'argon2id', 'htpasswd']) {
    it(`every hash module rejects hashes of other algorithms (${name})`, async () => {
      for (const text of ['', 'plain', '$1$x$y', '$argon2id$v=19$m=9999999,t=1,p=1$YQ$YQ']) {
        const refused = (await hash(name)).verify(text, 'x');
        expect(await refused.then(() => null, String)).to.match(/stored/);
      }
    });
  }
});
