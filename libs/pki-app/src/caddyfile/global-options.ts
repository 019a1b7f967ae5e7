/** Global options of the `pki` app. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  block,
  blockLines,
  Draft,
  duration,
  objectAt,
  option,
  present,
  readBlock,
  text,
  tlsPiles,
  word,
  type Block,
  type FinishConfig,
  type IssuerConfig,
  type Line,
  type Site,
  type Term,
} from '@sluice/caddyfile';

/** Authorities by ID. */
type Authorities = Readonly<Record<string, JsonObject>>;

const string = (shown: string, field?: string): Term =>
  text(shown, { takes: 'more', ...(field === undefined ? {} : { field }) });

const keyPair = (which: string): Term =>
  block(
    { cert: string('<file>', 'certificate'), key: string('<file>', 'private_key'), format: string('pem_file') },
    { line: null, unknown: `unrecognized pki ca ${which} option '%'` },
  );

const options: Block = {
  name: string('<name>'),
  root_cn: string('<name>', 'root_common_name'),
  intermediate_cn: string('<name>', 'intermediate_common_name'),
  intermediate_lifetime: duration({ takes: 'more' }),
  maintenance_interval: duration({ takes: 'more' }),
  renewal_window_ratio: word('<ratio>', {
    takes: 'more',
    convert(reader, value) {
      const ratio = Number(value);
      if (ratio > 0 && ratio <= 1) return ratio;
      throw reader.error('renewal_window_ratio must be a number in (0, 1]');
    },
  }),
  root: keyPair('root'),
  intermediate: keyPair('intermediate'),
};

const ca: Term = {
  shown: '[<id>]',
  field: '',
  help: 'ID of the certificate authority to configure. Default: `local`.',
  block: options,
  read(reader, draft) {
    const id = reader.optionalArgument() ?? 'local';
    const authority = new Draft();
    readBlock(reader, authority, { block: options, unknown: "unrecognized pki ca option '%'" });
    draft.put([id], authority.fields, true);
  },
  async write(name, authorities, writer) {
    const lines: Line[] = [];
    for (const [id, authority] of Object.entries(authorities)) {
      const own = (await blockLines({ block: options }, objectAt(authority, []), writer)) ?? [];
      lines.push({ words: [name, id], ...(own.length === 0 ? {} : { block: own }) });
    }
    return lines;
  },
};

/** Caddyfile option `pki { ca [ID] { … } }`. The conversion to a Caddyfile omits a CA whose only option is `install_trust`. */
export const pki = option({
  at: 'apps.pki.certificate_authorities',
  joins: true,
  block: { ca },
  unknown: "unrecognized pki option '%'",
  from(document) {
    const all = Object.entries(objectAt(document, ['apps', 'pki', 'certificate_authorities']));
    const own = all.filter(([, each]) => Object.keys(objectAt(each, [])).join() !== 'install_trust');
    return own.length === 0 ? undefined : Object.fromEntries(own);
  },
  help: "Configures this server's certificate authorities.",
  example: 'pki {\n\tca {\n\t\tname "Example authority"\n\t}\n}',
});

export const skipInstallTrust = option({
  line: present,
  from(document) {
    const all = Object.values(objectAt(document, ['apps', 'pki', 'certificate_authorities']));
    return all.some((each) => isObject(each) && each['install_trust'] === false) || undefined;
  },
  help: "Disables installing the root certificate in this machine's trust stores.",
  example: 'skip_install_trust',
});

/**
 * Adds the `pki` app with the CAs from the `pki` option and from `acme_server`. `skip_install_trust` also adds the default CAs. As in
 * Caddy, it doesn't add the CAs of the global option `cert_issuer`.
 */
export const finishPki: FinishConfig = (apps, options, sites) => {
  const authorities: Record<string, Json> = {};
  for (const [id, authority] of Object.entries(options.get<Authorities>('pki') ?? {})) authorities[id] = authority;
  for (const id of sites.flatMap((site) => site.pile<string>(tlsPiles.authority))) authorities[id] ??= {};
  if (options.has('skip_install_trust')) {
    // If automatic HTTPS is off, a host name uses the default CA only if the site requests it.
    const isOff = (options.get<readonly string[]>('auto_https') ?? []).includes('off');
    if (Object.keys(authorities).length === 0 && !isOff) authorities['local'] = {};
    for (const id of sites.flatMap(issuingAuthorities)) authorities[id] ??= {};
    for (const [id, authority] of Object.entries(authorities)) {
      authorities[id] = withoutInstalling(authority as JsonObject);
    }
  }
  const sorted = Object.fromEntries(Object.entries(authorities).sort(([a], [b]) => (a < b ? -1 : 1)));
  if (Object.keys(sorted).length > 0) apps['pki'] = { certificate_authorities: sorted };
};

function withoutInstalling({ root, intermediate, ...rest }: JsonObject): JsonObject {
  const pairs = { ...(root === undefined ? {} : { root }), ...(intermediate === undefined ? {} : { intermediate }) };
  return { ...rest, install_trust: false, ...pairs };
}

/** Returns the CAs that issue certificates for a site, according to its `tls` directive. */
function issuingAuthorities(site: Site): string[] {
  return site
    .pile<IssuerConfig>(tlsPiles.issuer)
    .filter(({ module }) => module === 'internal')
    .map(({ ca }) => (typeof ca === 'string' ? ca : 'local'));
}
