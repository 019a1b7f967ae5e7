/** Options in the block of the directive `tls`. */
import { moduleObject, readDuration, tlsPiles, type DirectiveReader } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { cipherSuites, curves, protocols } from './known-names.ts';
import { readClientAuthentication } from './client-authentication.ts';
import { readIssuer, readRatio } from './shared-syntax.ts';
import type { TlsDraft } from './tls-draft.ts';

type Read = (draft: TlsDraft, reader: DirectiveReader, option: string) => void;

const dnsTime =
  (field: string): Read =>
  (draft, reader, option) => {
    const text = reader.onlyArgument();
    draft.dnsOptions.push(option);
    draft.dns[field] = text === '-1' ? -1 : readDuration(reader, text, option);
  };

const readers: Readonly<Record<string, Read>> = {
  protocols: (draft, reader) => {
    const words = reader.arguments().slice(0, 2);
    for (const word of words) {
      if (!protocols.includes(word)) throw reader.error(`wrong protocol name or protocol not supported: '${word}'`);
    }
    const [least, most] = words;
    if (least !== undefined) draft.policy.protocol_min = least;
    if (most !== undefined) draft.policy.protocol_max = most;
  },
  ciphers: (draft, reader) => {
    const words = reader.remaining();
    for (const word of words) {
      if (!cipherSuites.includes(word)) {
        throw reader.error(`wrong cipher suite name or cipher suite not supported: '${word}'`);
      }
    }
    if (words.length > 0) draft.policy.cipher_suites = [...(draft.policy.cipher_suites ?? []), ...words];
  },
  curves: (draft, reader) => {
    const words = reader.remaining();
    for (const word of words) {
      if (!curves.includes(word)) throw reader.error(`Wrong curve name or curve not supported: '${word}'`);
    }
    if (words.length > 0) draft.policy.curves = [...(draft.policy.curves ?? []), ...words];
  },
  alpn: (draft, reader) => {
    draft.policy.alpn = reader.arguments();
  },
  client_auth: (draft, reader) => {
    draft.policy.client_authentication = readClientAuthentication(reader);
  },
  insecure_secrets_log: (draft, reader) => {
    draft.policy.insecure_secrets_log = reader.onlyArgument();
  },
  load: (draft, reader) => void draft.folders.push(...reader.remaining()),
  ca: (draft, reader) => {
    draft.acme['ca'] = reader.onlyArgument();
  },
  ca_root: (draft, reader) => {
    draft.acme['trusted_roots_pem_files'] = [reader.onlyArgument()];
  },
  eab: (draft, reader) => {
    const [keyId = '', macKey = '', ...more] = reader.arguments(2);
    if (more.length > 0) throw reader.argumentError();
    draft.acme['external_account'] = { key_id: keyId, mac_key: macKey };
  },
  key_type: (draft, reader) => {
    draft.keyType = reader.onlyArgument();
  },
  renewal_window_ratio: (draft, reader) => {
    draft.renewalWindowRatio = readRatio(reader);
  },
  reuse_private_keys: (draft, reader) => {
    reader.noArguments();
    draft.add(tlsPiles.reusePrivateKeys, true);
  },
  on_demand: (draft, reader) => {
    reader.noArguments();
    draft.onDemand = true;
  },
  issuer: (draft, reader) => void draft.explicit.push(readIssuer(reader)),
  get_certificate: (draft, reader) => {
    const name = reader.argument();
    draft.managers.push(moduleObject('via', name, reader.module(`tls.get_certificate.${name}`)));
  },
  dns: (draft, reader) => {
    const provider = readProvider(reader);
    draft.dns['provider'] = provider ?? reader.options.get<Json>('dns') ?? {};
  },
  resolvers: (draft, reader, option) => {
    draft.dnsOptions.push(option);
    draft.dns['resolvers'] = reader.arguments();
  },
  propagation_delay: dnsTime('propagation_delay'),
  propagation_timeout: dnsTime('propagation_timeout'),
  dns_ttl: dnsTime('ttl'),
  dns_challenge_override_domain: (draft, reader, option) => {
    draft.dnsOptions.push(option);
    draft.dns['override_domain'] = reader.onlyArgument();
  },
};

function readProvider(reader: DirectiveReader): Json | null {
  if (!reader.nextArgument()) {
    if (reader.options.has('dns')) return null;
    throw reader.argumentError();
  }
  const name = reader.value;
  return moduleObject('name', name, reader.module(`dns.providers.${name}`));
}

/** Reads an option. */
export function readTlsOption(option: string, draft: TlsDraft, reader: DirectiveReader): void {
  const read = Object.hasOwn(readers, option) ? readers[option] : undefined;
  if (read === undefined) throw reader.error(`unknown subdirective: ${option}`);
  read(draft, reader, option);
}
