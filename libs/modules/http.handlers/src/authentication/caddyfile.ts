/** The directive `basic_auth [matcher] [ALGORITHM [REALM]] { USER HASH… }`. */
import { fields, handler, note, objectAt, objectsIn, words, type Term } from '@sluice/caddyfile';

const first = fields('[<algorithm> [<realm>]]', ['hash.algorithm', 'realm']);
const algorithms = ['bcrypt', 'argon2id'];

/** Arguments on the directive's first line: the algorithm and realm. */
const line: Term = {
  ...first,
  read(reader, draft, option) {
    draft.put(['hash', 'algorithm'], 'bcrypt');
    first.read(reader, draft, option);
    const algorithm = words(draft.get(['hash', 'algorithm'])).join('');
    if (!algorithms.includes(algorithm)) throw reader.error(`unrecognized hash algorithm: ${algorithm}`);
  },
  write: (option, basic, writer) =>
    basic['realm'] === undefined && objectAt(basic, ['hash'])['algorithm'] === 'bcrypt'
      ? []
      : first.write(option, basic, writer),
};

const others: Term = {
  ...note('', ''),
  read(reader, draft, username) {
    const password = reader.optionalArgument();
    if (username === '' || password === null || password === '')
      throw reader.error('username and password cannot be empty or missing');
    draft.push(['accounts'], [{ username, password }]);
  },
  write: (_option, { accounts }) =>
    objectsIn(accounts).map(({ username, password }) => ({ words: words([username ?? '', password ?? '']) })),
};

export const basicAuth = handler('authentication', {
  line,
  others,
  below: 'providers.http_basic',
  finish(provider, reader) {
    if (provider['accounts'] === undefined)
      reader.modules.warn(
        reader.token,
        'basic_auth: without users, every request is rejected; add a user with a password hash',
      );
    return { ...provider, hash_cache: {} };
  },
  help: 'Requires a user name and password (HTTP Basic authentication, RFC 7617). Each line in the block contains a user name and a password hash from `sluice hash-password`. Default algorithm: `bcrypt`.',
  example:
    'basic_auth /private/* {\n\tada $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG\n}\nrespond "hello {http.auth.user.id}"',
});
