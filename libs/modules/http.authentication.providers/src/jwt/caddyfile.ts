/** `jwtauth [matcher] { sign_key …; jwk_url …; from_query …; … }` */
import { isObject, type Json } from '@sluice/base';
import {
  flag,
  handler,
  list,
  text,
  words,
  type DirectiveReader,
  type Line,
  type WriteDirective,
} from '@sluice/caddyfile';

const single = ['sign_key', 'jwk_url', 'sign_alg'];
const lists = ['from_query', 'from_header', 'from_cookies', 'issuer_whitelist', 'audience_whitelist', 'user_claims'];

function readJwt(reader: DirectiveReader): Json {
  reader.remaining();
  // The plugin writes all of its options, set or not.
  const fields: Record<string, Json> = { skip_verification: false, meta_claims: null };
  for (const option of single) fields[option] = '';
  for (const option of lists) fields[option] = null;
  for (const option of reader.block()) {
    if (option === 'skip_verification') {
      fields[option] = true;
      if (reader.nextArgument()) throw reader.error(`unrecognized option: ${reader.value}`);
    } else if (option === 'meta_claims') fields[option] = readClaims(reader);
    else if (single.includes(option)) {
      const [value, ...others] = reader.remaining();
      if (value === undefined || others.length > 0)
        throw reader.error(`invalid ${option}: ${JSON.stringify(value ?? '')}`);
      fields[option] = value;
    } else if (lists.includes(option)) {
      const values = reader.remaining();
      fields[option] = values.length === 0 ? null : values;
    } else if (option === 'header_first')
      throw reader.error(
        'option header_first deprecated, the priority now defaults to from_query > from_header > from_cookies',
      );
    else throw reader.error(`unrecognized option: ${option}`);
  }
  return { providers: { jwt: fields } };
}

/** Reads `CLAIM` or `CLAIM->PLACEHOLDER`. */
function readClaims(reader: DirectiveReader): Record<string, string> {
  const claims: Record<string, string> = {};
  const fail = (problem: string): never => {
    throw reader.error(`invalid meta_claims: ${problem}`);
  };
  for (const word of reader.remaining()) {
    const parts = word.split('->').map((part) => part.trim());
    if (parts.length > 2) fail(`too many delimiters (->) in key ${JSON.stringify(word)}`);
    const [claim = '', placeholder = claim] = parts;
    if (claim === '') fail(`empty claim in key ${JSON.stringify(word)}`);
    if (placeholder === '') fail(`empty placeholder in key ${JSON.stringify(word)}`);
    if (Object.hasOwn(claims, claim)) fail(`duplicate claim: ${claim}`);
    claims[claim] = placeholder;
  }
  return claims;
}

const writeJwt: WriteDirective = ({ providers }) => {
  const jwt = isObject(providers) && Object.keys(providers).length === 1 ? providers['jwt'] : undefined;
  if (!isObject(jwt)) return null;
  const block: Line[] = [];
  for (const option of [...single, ...lists]) {
    const values = words(jwt[option] ?? '').filter((value) => value !== '');
    if (values.length > 0) block.push({ words: [option, ...values] });
  }
  if (jwt['skip_verification'] === true) block.push({ words: ['skip_verification'] });
  const claims = Object.entries(isObject(jwt['meta_claims']) ? jwt['meta_claims'] : {});
  if (claims.length > 0)
    block.push({
      words: [
        'meta_claims',
        ...claims.map(([claim, placeholder]) => (claim === placeholder ? claim : `${claim}->${String(placeholder)}`)),
      ],
    });
  return { words: [], block };
};

export const jwtauth = handler(
  'authentication',
  {
    help: 'Requires a JSON Web Token (RFC 7519).',
    block: {
      sign_key: text('<key>'),
      jwk_url: text('<url>'),
      sign_alg: text('<algorithm>'),
      skip_verification: flag(),
      from_query: list('<name>…'),
      from_header: list('<field>…'),
      from_cookies: list('<name>…'),
      issuer_whitelist: list('<issuer>…'),
      audience_whitelist: list('<audience>…'),
      user_claims: list('<claim>…'),
      meta_claims: list('<claim>[-><placeholder>]…'),
    },
    example:
      'jwtauth {\n\tjwk_url https://id.example.com/keys\n\tissuer_whitelist https://id.example.com\n\taudience_whitelist api\n}\nrespond "hello {http.auth.user.id}"',
  },
  { read: readJwt, write: writeJwt },
);
