/** Parses `client_auth { mode …; trust_pool …; verifier …; … }` in the `tls` directive. */
import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { block, compact, ignored, list, module, objectAt, text, type Dispenser, type Term } from '@sluice/caddyfile';
import { checkExternalRead, messageOf } from '@sluice/base';

function certificatesIn(file: string, reader: Dispenser): string[] {
  try {
    checkExternalRead(file);
    const blocks = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
    return blocks.map((each) => new X509Certificate(each).raw.toString('base64'));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw reader.error(missing ? `open ${file}: no such file or directory` : messageOf(error), error);
  }
}

const fromFiles = {
  all: (reader: Dispenser, files: readonly string[]) => files.flatMap((file) => certificatesIn(file, reader)),
};

/** An option that specifies certificates. If it is repeated, the certificates are added to the list. */
const certificates = (field: string, shown: string, help: string, more: Parameters<typeof list>[1] = {}): Term =>
  list(shown, { field, adds: true, help, ...more });

const authorities = (option: string, shown: string, pool: string, more: Parameters<typeof list>[1] = {}): Term =>
  certificates('authorities', shown, `Deprecated: use \`trust_pool ${pool}\`.`, {
    deprecated: `The '${option}' field is deprecated. Use the 'trust_pool' field instead.`,
    ...more,
  });

const options = block(
  {
    mode: text('request|require|verify_if_given|require_and_verify', {
      takes: 'more',
      help: 'Client authentication mode.',
    }),
    trusted_leaf_cert: certificates(
      'trusted_leaf_certs',
      '<base64>…',
      'Accepted client certificates, as base64-encoded DER.',
    ),
    trusted_leaf_cert_file: certificates(
      'trusted_leaf_certs',
      '<file>…',
      'PEM files containing accepted client certificates.',
      {
        ...fromFiles,
        writes: false,
      },
    ),
    trust_pool: module('tls.ca_pool.source', 'provider', {
      field: 'ca',
      help: 'Source of trusted certificate authorities for client certificates.',
    }),
    trusted_ca_cert: authorities('trusted_ca_cert', '<base64>…', 'inline'),
    trusted_ca_cert_file: authorities('trusted_ca_cert_file', '<file>…', 'file', fromFiles),
    verifier: module('tls.client_auth.verifier', 'verifier', {
      field: 'verifiers',
      adds: true,
      help: 'Additional verifiers for client certificates.',
    }),
  },
  {
    field: 'client_authentication',
    line: ignored,
    unknown: 'unknown subdirective for client_auth: %',
    help: 'Configures client certificate authentication.',
  },
);

export const clientAuthentication: Term = {
  ...options,
  read(reader, draft, option) {
    options.read(reader, draft, option);
    const { authorities: found, ...fields } = objectAt(draft.get(['client_authentication']), []);
    const ca = found === undefined ? fields['ca'] : { provider: 'inline', trusted_ca_certs: found };
    const { trusted_leaf_certs: leaves, verifiers, mode } = fields;
    draft.put(['client_authentication'], compact({ ca, trusted_leaf_certs: leaves, verifiers, mode }), true);
  },
};
