/** TLS of a site as the directive `tls`: its connection policy, and how its certificates are got. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import type { Line, Writer } from '../inverse/written.ts';
import type { SiteDraft } from './sites.ts';
import { listAt, objectAt } from './trial.ts';
import { durationWord, noWords, optionLines, words } from './values.ts';

/** Lines for the TLS of a site; none where it has nothing of its own. */
export async function writeSiteTls(site: SiteDraft, document: Json, writer: Writer): Promise<readonly Line[]> {
  const connection = listAt(site.server, ['tls_connection_policies']).find((each) =>
    isFor(listAt(each, ['match', 'sni']), site),
  );
  const policies = listAt(document, ['apps', 'tls', 'automation', 'policies']);
  const automation = policies.find((each) => site.hosts.length > 0 && isFor(listAt(each, ['subjects']), site));
  const fields = objectAt(connection, []);
  const automated = objectAt(automation, []);
  const files = certificateFiles(fields, document);
  const block = [
    ...connectionLines(fields),
    ...(await issuerLines(automated, writer)),
    ...optionLines(automated, [
      ['key_type', 'key_type'],
      ['renewal_window_ratio', 'renewal_window_ratio'],
      ['reuse_private_keys', 'reuse_private_keys', noWords],
      ['on_demand', 'on_demand', noWords],
    ]),
  ];
  const [only] = block;
  if (
    files.length === 0 &&
    block.length === 1 &&
    only?.words.join(' ') === 'issuer internal' &&
    only.block === undefined
  ) {
    return [{ words: ['tls', 'internal'] }];
  }
  if (block.length === 0) return files.length === 0 ? [] : [{ words: ['tls', ...files] }];
  return [{ words: ['tls', ...files], block }];
}

/** Whether a policy is for the hosts of a site: for all of them, or for none in particular where the site has none. */
function isFor(names: readonly Json[], { hosts }: SiteDraft): boolean {
  return names.length === 0 ? hosts.length === 0 : hosts.length > 0 && hosts.every((host) => names.includes(host));
}

function connectionLines(policy: JsonObject): Line[] {
  const { protocol_min: least, protocol_max: most } = policy;
  const protocols = [...words(least), ...words(most)];
  return [
    ...(protocols.length > 0 ? [{ words: ['protocols', ...protocols] }] : []),
    ...optionLines(policy, [
      ['ciphers', 'cipher_suites'],
      ['curves', 'curves'],
      ['alpn', 'alpn'],
      ['insecure_secrets_log', 'insecure_secrets_log'],
    ]),
    ...clientLines(policy['client_authentication']),
  ];
}

function clientLines(value: Json | undefined): Line[] {
  if (!isObject(value)) return [];
  const pool = objectAt(value, ['ca']);
  const inline = pool['provider'] === 'inline' ? words(pool['trusted_ca_certs']) : [];
  const block = optionLines(value, [['mode', 'mode']]);
  if (inline.length > 0) {
    const certificates = inline.map((each): Line => ({ words: ['trust_der', each] }));
    block.push({ words: ['trust_pool', 'inline'], block: certificates });
  }
  return [{ words: ['client_auth'], block }];
}

async function issuerLines(policy: JsonObject, writer: Writer): Promise<Line[]> {
  const lines: Line[] = [];
  for (const issuer of listAt(policy, ['issuers'])) {
    const { module, ...options } = objectAt(issuer, []);
    const name = words(module).join('');
    const written = await writer.module(`tls.issuance.${name}`, options);
    const block = simpleIssuer(options);
    const made: readonly Line[] = written ?? [{ words: [name], block }];
    lines.push(...made.map((line) => ({ ...line, words: ['issuer', ...line.words] })));
  }
  return lines;
}

/** Options that the usual issuers have under the names of their fields. */
function simpleIssuer(options: JsonObject): Line[] {
  return optionLines(options, [
    ['ca', 'ca'],
    ['email', 'email'],
    ['lifetime', 'lifetime', durationWord],
    ['sign_with_root', 'sign_with_root', noWords],
  ]);
}

/** The files of a certificate that a policy selects by its tag. */
function certificateFiles(policy: JsonObject, document: Json): readonly string[] {
  const [tag] = words(listAt(policy, ['certificate_selection', 'any_tag']));
  const loaded = listAt(document, ['apps', 'tls', 'certificates', 'load_files']);
  const found = loaded.find((each) => tag !== undefined && listAt(each, ['tags']).includes(tag));
  return found === undefined ? [] : words([objectAt(found, [])['certificate'] ?? '', objectAt(found, [])['key'] ?? '']);
}
