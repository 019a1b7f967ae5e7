/** `acme [DIRECTORY] { … }` */
import { compact, readDuration, readInteger, readPreferredChains, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { readDnsOption } from '../common/dns-syntax.ts';

/** What is collected: options, and those of each challenge. */
interface Draft {
  readonly fields: Record<string, Json>;
  readonly http: Record<string, Json>;
  readonly alpn: Record<string, Json>;
  readonly dns: Record<string, Json>;
  readonly challenges: Record<string, Json>;
}

type Read = (draft: Draft, reader: Dispenser) => void;

const text =
  (field: string): Read =>
  (draft, reader) => {
    draft.fields[field] = reader.onlyArgument();
  };

const disabled =
  (challenge: 'http' | 'alpn'): Read =>
  (draft, reader) => {
    reader.noArguments();
    draft[challenge]['disabled'] = true;
  };

const port =
  (challenge: 'http' | 'alpn'): Read =>
  (draft, reader) => {
    draft[challenge]['alternate_port'] = readInteger(reader, reader.onlyArgument(), 'port');
  };

function setDirectory(draft: Draft, url: string, reader: Dispenser): void {
  const known = draft.fields['ca'];
  if (known !== undefined) throw reader.error(`directory is already specified: ${String(known)}`);
  draft.fields['ca'] = url;
}

const readers: Readonly<Record<string, Read>> = {
  dir: (draft, reader) => setDirectory(draft, reader.onlyArgument(), reader),
  test_dir: text('test_ca'),
  email: text('email'),
  profile: text('profile'),
  timeout: (draft, reader) => {
    draft.fields['acme_timeout'] = readDuration(reader, reader.onlyArgument(), 'timeout');
  },
  lifetime: (draft, reader) => {
    draft.fields['certificate_lifetime'] = readDuration(reader, reader.onlyArgument(), 'lifetime');
  },
  disable_http_challenge: disabled('http'),
  disable_tlsalpn_challenge: disabled('alpn'),
  distributed: (draft, reader) => {
    if (reader.onlyArgument() !== 'false') throw reader.error("only accepted value is 'false'");
    draft.challenges['distributed'] = false;
  },
  alt_http_port: port('http'),
  alt_tlsalpn_port: port('alpn'),
  eab: (draft, reader) => {
    const [keyId = '', macKey = '', ...more] = reader.arguments(2);
    if (more.length > 0) throw reader.argumentError();
    draft.fields['external_account'] = { key_id: keyId, mac_key: macKey };
  },
  trusted_roots: (draft, reader) => {
    draft.fields['trusted_roots_pem_files'] = reader.remaining();
  },
  preferred_chains: (draft, reader) => {
    draft.fields['preferred_chains'] = readPreferredChains(reader);
  },
};

/** Reads the options. */
export function readAcme(reader: Dispenser): Json {
  const draft: Draft = { fields: {}, http: {}, alpn: {}, dns: {}, challenges: {} };
  const directory = reader.optionalArgument();
  if (directory !== null) setDirectory(draft, directory, reader);
  for (const option of reader.block()) {
    const read = Object.hasOwn(readers, option) ? readers[option] : undefined;
    if (read !== undefined) read(draft, reader);
    else if (!readDnsOption(option, draft.dns, reader))
      throw reader.error(`unrecognized ACME issuer property: ${option}`);
  }
  const challenges = {
    ...compact({ http: draft.http, 'tls-alpn': draft.alpn, dns: draft.dns }),
    ...draft.challenges,
  };
  return { ...compact(draft.fields), ...(Object.keys(challenges).length === 0 ? {} : { challenges }) };
}
