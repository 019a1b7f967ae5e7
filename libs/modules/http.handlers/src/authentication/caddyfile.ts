/** `basic_auth [matcher] [ALGORITHM [REALM]] { USER HASH… }` */
import { isArray, isObject, type Json } from '@sluice/base';
import {
  compact,
  handler,
  handlerDirective,
  type Line,
  moduleObject,
  words,
  type WriteDirective,
} from '@sluice/caddyfile';

/** Makes the handler `authentication` with the provider `http_basic`. */
const readBasicAuth = handlerDirective((reader) => {
  const words = reader.remaining();
  if (words.length > 2) throw reader.argumentError();
  const [algorithm = 'bcrypt', realm = ''] = words;
  if (algorithm !== 'bcrypt' && algorithm !== 'argon2id') {
    throw reader.error(`unrecognized hash algorithm: ${algorithm}`);
  }
  const accounts: Json[] = [];
  for (const username of reader.block()) {
    const password = reader.optionalArgument();
    if (username === '' || password === null || password === '')
      throw reader.error('username and password cannot be empty or missing');
    accounts.push({ username, password });
  }
  if (accounts.length === 0)
    reader.modules.warn(
      reader.token,
      'basic_auth: without users, every request is rejected; add a user with a password hash',
    );
  const provider = { ...compact({ accounts, realm }), hash: { algorithm }, hash_cache: {} };
  return moduleObject('handler', 'authentication', { providers: { http_basic: provider } });
});

/** `basic_auth [ALGORITHM [REALM]] { USER HASH… }` */
const writeBasicAuth: WriteDirective = ({ providers }) => {
  const basic = isObject(providers) ? providers['http_basic'] : undefined;
  if (!isObject(basic)) return null;
  const { accounts, realm, hash } = basic;
  const algorithm = isObject(hash) ? words(hash['algorithm']) : [];
  const usual = realm === undefined && algorithm[0] === 'bcrypt';
  return {
    words: usual ? [] : [...algorithm, ...words(realm)],
    block: (isArray(accounts) ? accounts : []).map(account),
  };
};

function account(value: Json): Line {
  const { username, password } = isObject(value) ? value : {};
  return { words: [...words(username), ...words(password)] };
}

export const basicAuth = handler(
  'authentication',
  {
    shown: ['[<algorithm> [<realm>]]'],
    help: 'Requires a user name and password (RFC 7617). Each line is a user name and a password hash from `sluice hash-password`. Default algorithm: `bcrypt`.',
    example:
      'basic_auth /private/* {\n\tada $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG\n}\nrespond "hello {http.auth.user.id}"',
  },
  { directive: readBasicAuth, write: writeBasicAuth },
);

export const basicauth = handler(
  'authentication',
  {
    shown: ['[<algorithm> [<realm>]]'],
    help: 'Deprecated name of `basic_auth`.',
    example:
      'basicauth /private/* {\n\tada $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG\n}\nrespond "hello {http.auth.user.id}"',
  },
  { directive: readBasicAuth },
);
