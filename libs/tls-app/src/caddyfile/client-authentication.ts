/** `client_auth { mode …; trust_pool …; verifier …; … }` of the directive `tls`. */
import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { compact, type DirectiveReader, readModule } from '@sluice/caddyfile';
import { checkExternalRead, messageOf, type Json } from '@sluice/base';

/** Reads the block. Older options are turned into a pool or a verifier. */
export function readClientAuthentication(reader: DirectiveReader): Json {
  const fields: Record<string, Json> = {};
  const verifiers: Json[] = [];
  const authorities: string[] = [];
  const leaves: string[] = [];
  reader.remaining();
  for (const option of reader.block()) {
    switch (option) {
      case 'mode':
        fields['mode'] = reader.argument();
        break;
      case 'trust_pool': {
        const name = reader.argument();
        fields['ca'] = readModule(reader, 'tls.ca_pool.source', 'provider', name);
        break;
      }
      case 'verifier': {
        const name = reader.argument();
        verifiers.push(readModule(reader, 'tls.client_auth.verifier', 'verifier', name));
        break;
      }
      case 'trusted_ca_cert':
        deprecated(reader, option);
        authorities.push(...reader.arguments());
        break;
      case 'trusted_ca_cert_file':
        deprecated(reader, option);
        for (const file of reader.arguments()) authorities.push(...certificatesIn(file, reader));
        break;
      case 'trusted_leaf_cert':
        leaves.push(...reader.arguments());
        break;
      case 'trusted_leaf_cert_file':
        for (const file of reader.arguments()) leaves.push(...certificatesIn(file, reader));
        break;
      default:
        throw reader.error(`unknown subdirective for client_auth: ${option}`);
    }
  }
  if (authorities.length > 0) fields['ca'] = { provider: 'inline', trusted_ca_certs: authorities };
  const { ca, mode } = fields;
  return compact({ ca, trusted_leaf_certs: leaves, verifiers, mode });
}

function deprecated(reader: DirectiveReader, option: string): void {
  reader.modules.warn(reader.token, `The '${option}' field is deprecated. Use the 'trust_pool' field instead.`);
}

function certificatesIn(file: string, reader: DirectiveReader): string[] {
  try {
    checkExternalRead(file);
    const blocks = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
    return blocks.map((block) => new X509Certificate(block).raw.toString('base64'));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw reader.error(missing ? `open ${file}: no such file or directory` : messageOf(error), error);
  }
}
