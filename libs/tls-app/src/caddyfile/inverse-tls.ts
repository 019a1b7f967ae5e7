/** Converts a site's TLS settings to a `tls` directive. */
import { isObject, jsonEqual, type Json, type JsonObject } from '@sluice/base';
import {
  blockLines,
  listAt,
  objectAt,
  serversOf,
  words,
  written,
  type Doubt,
  type Line,
  type WriteSite,
  type WrittenSite,
} from '@sluice/caddyfile';
import { catchAllOf, commonEmail, isInternal, issuersOf, policiesOf } from './automation-policies.ts';
import { automationOptions, connectionOptions } from './tls-options.ts';

/** Writes `tls [internal | force_automate | EMAIL | CERTIFICATE KEY] { … }` if a site has TLS settings of its own. */
export const tls: WriteSite = async (site, document, writer) => {
  const connection = connectionPolicy(site, document);
  const policy = automationPolicy(site, document);
  const files = certificateFiles(connection, document);
  const automated = words(listAt(document, ['apps', 'tls', 'certificates', 'automate']));
  const forced = !site.hasCatchAll && site.hosts.some((host) => automated.includes(host));
  const folders = site.isFirstSecure ? words(listAt(document, ['apps', 'tls', 'certificates', 'load_folders'])) : [];
  const email = defaultEmail(issuersOf(policy));
  const inline = files.length > 0 ? files : forced ? ['force_automate'] : email === '' ? [] : [email];
  const { issuers: _issuers, ...withoutIssuers } = policy;
  const own = email !== '' && inline.join() === email ? withoutIssuers : policy;
  const all = folders.length === 0 ? connection : { ...connection, load_folders: folders };
  const fields = (await blockLines({ block: connectionOptions }, all, writer)) ?? [];
  const lines = [...fields, ...((await blockLines({ block: automationOptions }, own, writer)) ?? [])];
  if (lines.length === 0 && inline.length === 0) return null;
  // The site's automation policy may exist only to exclude the site's names from another site's policy.
  const doubtful = fields.length > 0 || files.length > 0 || forced ? 'in' : doubtOf(site, policy, document);
  const line = isInternalAlone(inline, lines) ? { words: ['internal'] } : written(inline, lines);
  return [{ ...line, doubtful }];
};

function isInternalAlone(inline: readonly string[], lines: readonly Line[]): boolean {
  const [only] = lines;
  return inline.length === 0 && lines.length === 1 && only?.words.join(' ') === 'issuer internal' && !only.block;
}

/** Reports whether global options may make the directive redundant. If so, the first attempt omits the directive. */
function doubtOf(site: WrittenSite, policy: JsonObject, document: Json): Doubt {
  const global = new Set(['subjects', 'issuers', 'key_type', 'renewal_window_ratio', 'disable_ocsp_stapling']);
  const isGlobal = Object.keys(policy).every((name) => global.has(name));
  if (site.hasCatchAll && isGlobal) return 'out';
  const settings = Object.keys(policy).filter((name) => name !== 'subjects' && name !== 'disable_ocsp_stapling');
  return settings.join() === 'issuers' &&
    defaultEmail(issuersOf(policy)) === commonEmail(document) &&
    commonEmail(document) !== ''
    ? 'out'
    : 'in';
}

/** Returns the connection policy for a site's names. Policies for all names contain only global options, so they are ignored. */
function connectionPolicy({ server, hosts, hasCatchAll }: WrittenSite, document: Json): JsonObject {
  const all = hasCatchAll ? [server] : serversOf(document).map(([, each]) => each);
  const policies = all.flatMap((each) => listAt(each, ['tls_connection_policies'])).filter(isObject);
  const isFor = (policy: JsonObject, host: string): boolean => listAt(policy, ['match', 'sni']).includes(host);
  const found = hasCatchAll
    ? policies.find((policy) => policy['match'] === undefined)
    : (policies.find((policy) => hosts.length > 0 && hosts.every((host) => isFor(policy, host))) ??
      policies.find((policy) => hosts.some((host) => isFor(policy, host))));
  const { match: _match, default_sni: _default, fallback_sni: _fallback, ...settings } = found ?? {};
  return settings;
}

/** Returns the settings of a site's automation policy that differ from the policy for all names. */
function automationPolicy({ hosts, hasCatchAll }: WrittenSite, document: Json): JsonObject {
  const catchAll = catchAllOf(document);
  const found = policiesOf(document).filter((policy) => {
    const names = listAt(policy, ['subjects']);
    return hosts.some((host) => names.includes(host));
  });
  // If a site has both public and internal names, the internal issuer for the internal names is a default, not explicit configuration.
  const ofAll = (policy: JsonObject): boolean => hosts.every((host) => listAt(policy, ['subjects']).includes(host));
  const policy = found.find((each) => ofAll(each) || !isInternal(issuersOf(each)));
  if (policy === undefined) return hasCatchAll ? catchAll : {};
  const own = Object.entries(policy).filter(([name, value]) => !jsonEqual(value, catchAll[name] ?? null));
  return Object.fromEntries(own);
}

/** If the issuers are the two default issuers with an email address, returns that address. Otherwise, returns an empty string. */
function defaultEmail(issuers: readonly JsonObject[]): string {
  const [first, second] = issuers;
  if (issuers.length !== 2 || first === undefined || second === undefined) return '';
  const { ca, ...others } = second;
  const { module, email, challenges, ...more } = first;
  // The `bind` directive already determines the addresses at which challenges are served.
  const plain =
    Object.keys(more).length === 0 && Object.keys(objectAt(challenges, [])).every((name) => name === 'bind_host');
  const isDefault = module === 'acme' && plain && typeof ca === 'string' && jsonEqual(first, others);
  return isDefault ? words(email).join('') : '';
}

/** Returns the certificate and key files that a policy selects by tag. */
function certificateFiles(policy: JsonObject, document: Json): readonly string[] {
  const [tag] = words(listAt(policy, ['certificate_selection', 'any_tag']));
  const loaded = listAt(document, ['apps', 'tls', 'certificates', 'load_files']);
  const found = loaded.find((each) => tag !== undefined && listAt(each, ['tags']).includes(tag));
  const { certificate = '', key = '' } = objectAt(found, []);
  return found === undefined ? [] : [...words(certificate), ...words(key)];
}
