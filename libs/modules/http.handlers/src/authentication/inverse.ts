/** Authentication with passwords as `basic_auth`. */
import { isArray, isObject, type Json } from '@sluice/base';
import { words, type Line, type WriteDirective } from '@sluice/caddyfile';

/** `basic_auth [ALGORITHM [REALM]] { USER HASH… }` */
export const basicAuth: WriteDirective = ({ providers }) => {
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
