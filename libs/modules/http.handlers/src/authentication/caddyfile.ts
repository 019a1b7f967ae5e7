/** `basic_auth [matcher] [ALGORITHM [REALM]] { USER HASH… }` */
import { compact, handlerDirective, moduleObject } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Makes the handler `authentication` with the provider `http_basic`. */
export const basicAuth = handlerDirective((reader) => {
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
