/** The directive `jwtauth [matcher] { sign_key …; jwk_url …; from_query …; … }`. */
import { isObject } from '@sluice/base';
import { handler, ignored, list, term, type Dispenser, type Term } from '@sluice/caddyfile';

function single(shown: string): Term {
  const read = (reader: Dispenser, option: string): string => {
    const [value, ...others] = reader.remaining();
    if (value !== undefined && others.length === 0) return value;
    throw reader.error(`invalid ${option}: ${JSON.stringify(value ?? '')}`);
  };
  return term({ shown, read });
}

const words = (shown: string): Term => list(shown, { empty: null });

const skipVerification = term({
  shown: '',
  read(reader) {
    if (reader.nextArgument()) throw reader.error(`unrecognized option: ${reader.value}`);
    return true;
  },
  words: () => [],
});

/** `CLAIM` or `CLAIM->PLACEHOLDER`. */
const metaClaims = term(
  {
    shown: '<claim>[-><placeholder>]…',
    read(reader) {
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
    },
    words: (value) =>
      Object.entries(isObject(value) ? value : {}).map(([claim, placeholder]) =>
        claim === placeholder ? claim : `${claim}->${String(placeholder)}`,
      ),
  },
  { keep: true },
);

const block = {
  sign_key: single('<key>'),
  jwk_url: single('<url>'),
  sign_alg: single('<algorithm>'),
  skip_verification: skipVerification,
  from_query: words('<name>…'),
  from_header: words('<field>…'),
  from_cookies: words('<name>…'),
  issuer_whitelist: words('<issuer>…'),
  audience_whitelist: words('<audience>…'),
  user_claims: words('<claim>…'),
  meta_claims: metaClaims,
};
const texts = ['sign_key', 'jwk_url', 'sign_alg'];

export const jwtauth = handler('authentication', {
  line: ignored,
  block,
  unknown: (option) =>
    option === 'header_first'
      ? 'option header_first deprecated, the priority now defaults to from_query > from_header > from_cookies'
      : `unrecognized option: ${option}`,
  below: 'providers.jwt',
  // Caddy's plugin writes all its options, including those that are not set.
  unset: {
    ...Object.fromEntries(Object.keys(block).map((name) => [name, texts.includes(name) ? '' : null])),
    skip_verification: false,
  },
  help: 'Requires a JSON Web Token (RFC 7519).',
  example:
    'jwtauth {\n\tjwk_url https://id.example.com/keys\n\tissuer_whitelist https://id.example.com\n\taudience_whitelist api\n}\nrespond "hello {http.auth.user.id}"',
});
