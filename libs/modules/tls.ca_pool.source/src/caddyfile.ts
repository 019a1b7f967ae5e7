/** Caddyfile syntax of the CA certificate pools. */
import {
  alias,
  block,
  duration,
  flag,
  list,
  module,
  named,
  none,
  oneOf,
  syntax,
  text,
  type Grammar,
  type Syntax,
} from '@sluice/caddyfile';

const within = ['example.com', 'tls', 'client_auth', 'trust_pool %'];
const unknown = 'unrecognized directive: %';

/** Returns a check that reports an error if a field is not set. */
function requires(field: string, message: string): NonNullable<Grammar['finish']> {
  return (fields, reader) => {
    if (fields[field] === undefined) throw reader.error(message);
    return undefined;
  };
}

/** Declares a CA pool whose values are arguments on the first line or on the lines of the block. */
function words(option: string, field: string, shown: string, example: string): Syntax {
  const plural = option === 'authority' ? 'authorities' : option;
  return syntax({
    line: list(shown, { field, empty: true, adds: true }),
    block: { [option]: alias(list(shown, { field, adds: true })) },
    unknown,
    finish: requires(field, `no ${plural} specified`),
    within,
    example,
  });
}

export const syntaxes = {
  inline: syntax({
    line: none,
    block: { trust_der: list('<base64>…', { field: 'trusted_ca_certs', adds: true, apart: true }) },
    unknown,
    finish: requires('trusted_ca_certs', 'no trust_der specified'),
    within,
    example: 'inline {\n\ttrust_der MIIBszCCAVmg\n}',
  }),
  file: words('pem_file', 'pem_files', '<path>…', 'file /etc/clients/authority.pem'),
  pki_root: words('authority', 'authority', '<authority>…', 'pki_root local'),
  pki_intermediate: words('authority', 'authority', '<authority>…', 'pki_intermediate local'),
  storage: syntax({
    line: list('<key>…', { field: 'pem_keys', empty: true, adds: true }),
    block: {
      storage: module('caddy.storage', 'module', { repeated: 'storage module is already set' }),
      keys: alias(list('<key>…', { field: 'pem_keys', adds: true })),
    },
    unknown,
    finish: requires('pem_keys', 'no keys specified'),
    within,
    example: 'storage clients/authority.pem',
  }),
  http: syntax({
    line: list('<url>…', { field: 'endpoints', empty: true, adds: true }),
    block: {
      endpoints: alias(list('<url>…', { adds: true })),
      tls: block(
        {
          ca: module('tls.ca_pool.source', 'provider', { shown: '<pool> …' }),
          insecure_skip_verify: flag({ takes: 'lax' }),
          handshake_timeout: duration({ takes: 'more', what: 'timeout' }),
          server_name: text('<name>', { takes: 'more' }),
          renegotiation: oneOf(['never', 'once', 'freely'], {
            takes: 'more',
            otherwise: (value) => `unrecognized renegotiation option: ${value}`,
          }),
        },
        { once: 'tls block already defined', line: null, unknown },
      ),
    },
    unknown,
    within,
    example: 'http https://authority.example.com/roots.pem',
  }),
  combined: syntax({
    line: none,
    block: { source: module('tls.ca_pool.source', 'provider', { field: 'sources', adds: true, shown: '<pool> …' }) },
    unknown,
    finish: requires('sources', 'no sources specified'),
    within,
    example: 'combined {\n\tsource system\n\tsource file /etc/clients/authority.pem\n}',
  }),
  system: named({ within, example: 'combined {\n\tsource system\n}' }),
};
