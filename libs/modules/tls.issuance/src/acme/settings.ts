/** Settings of an ACME issuer: option values with defaults, and loaded files and modules. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { ChainPreference, ClientChallengeType, ExternalAccount, Solver } from '@sluice/acme';
import { networkProxies } from '@sluice/http-app';
import { compileTemplate, messageOf, parseDuration, requiredText, resolveGlobal } from '@sluice/base';
import type { Context } from '@sluice/registry';
import type { Storage } from '@sluice/contracts';
import { certificateStorageToken, challengeBoardToken } from '@sluice/tls-app';
import { dnsPersistSolver } from './challenges/dns-persist.ts';
import { provisionDnsSolver } from './challenges/dns.ts';
import { httpSolver } from './challenges/http.ts';
import { tlsAlpnSolver } from './challenges/tls-alpn.ts';
import type { AcmeOptions } from './options.ts';

/** Settings of an ACME issuer; see {@link AcmeOptions}. Durations are in milliseconds. */
export interface AcmeSettings {
  readonly ca: string;
  readonly testCa: string | null;
  /** Email address of the ACME account. Empty if there is none. */
  readonly email: string;
  readonly accountKey: KeyObject | null;
  readonly externalAccount: ExternalAccount | null;
  readonly profile: string | null;
  /** Timeout of an attempt, or `null` for no separate timeout. */
  readonly timeout: number | null;
  /** Challenge solvers, keyed by challenge type, in order of preference. */
  readonly solvers: ReadonlyMap<ClientChallengeType, Solver>;
  /** Trusted root certificates in PEM format, or `null` for the default roots. */
  readonly roots: readonly string[] | null;
  readonly proxy: string | null;
  readonly chains: ChainPreference | null;
  readonly lifetime: number | null;
  readonly storage: Storage;
}

const defaultCa = 'https://acme-v02.api.letsencrypt.org/directory';
const defaultTestCa = 'https://acme-staging-v02.api.letsencrypt.org/directory';

/** Expands global placeholders. Unknown placeholders become empty strings. */
export function expand(text: string | null | undefined): string {
  return compileTemplate(text ?? '', resolveGlobal, 'empty')
    .expand(undefined)
    .trim();
}

/** Expands placeholders like {@link expand}, but throws if a placeholder is empty or unknown. */
function required(text: string | null | undefined, context: Context, ...at: string[]): string {
  return requiredText(text, context, ...at).trim();
}

/** Returns the settings for the configured options. Errors contain the configuration path. */
export async function settingsOf(config: AcmeOptions, context: Context): Promise<AcmeSettings> {
  const ca = required(config.ca, context, 'ca') || defaultCa;
  checkUrl(ca, context, 'ca');
  const testCa = required(config.test_ca, context, 'test_ca') || (ca === defaultCa ? defaultTestCa : '');
  if (testCa !== '') checkUrl(testCa, context, 'test_ca');
  return {
    ca,
    testCa: testCa === '' ? null : testCa,
    email: required(config.email, context, 'email').toLowerCase(),
    accountKey: accountKeyOf(config, context),
    externalAccount: externalAccountOf(config, context),
    profile: config.profile || null,
    timeout: positive(config.acme_timeout, 'acme_timeout', context),
    solvers: await solversOf(config, context),
    roots: await rootsOf(config, context),
    proxy: await proxyOf(config, context),
    chains: chainsOf(config),
    lifetime: positive(config.certificate_lifetime, 'certificate_lifetime', context),
    storage: context.use(certificateStorageToken),
  };
}

function checkUrl(url: string, context: Context, at: string): void {
  const { protocol, hostname } = URL.parse(url) ?? { protocol: '', hostname: '' };
  const local =
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
  if (protocol === 'https:' || (protocol === 'http:' && local)) return;
  throw context.error(`${JSON.stringify(url)} is not a valid URL that begins with https://`, at);
}

function accountKeyOf({ account_key: key }: AcmeOptions, context: Context): KeyObject | null {
  const text = required(key, context, 'account_key');
  if (text === '') return null;
  try {
    return createPrivateKey(text);
  } catch (error) {
    // The error message must not contain the private key.
    throw context.error(`is not a valid PEM private key: ${messageOf(error)}`, 'account_key');
  }
}

function externalAccountOf({ external_account: account }: AcmeOptions, context: Context): ExternalAccount | null {
  if (account === null || account === undefined) return null;
  const keyId = required(account.key_id, context, 'external_account', 'key_id');
  const macKey = required(account.mac_key, context, 'external_account', 'mac_key');
  if (keyId === '') throw context.error('EAB key ID is missing', 'external_account', 'key_id');
  if (macKey === '') throw context.error('EAB MAC key is missing', 'external_account', 'mac_key');
  return { keyId, macKey };
}

async function solversOf(
  { challenges }: AcmeOptions,
  context: Context,
): Promise<ReadonlyMap<ClientChallengeType, Solver>> {
  const [dns, persistent] = [challenges?.dns ?? null, challenges?.['dns-persist'] ?? null];
  const ofDns = new Map<ClientChallengeType, Solver>();
  if (persistent !== null)
    ofDns.set('dns-persist-01', dnsPersistSolver(persistent, context, 'challenges', 'dns-persist'));
  if (dns !== null) ofDns.set('dns-01', await provisionDnsSolver(dns, context, 'challenges', 'dns'));
  if (ofDns.size > 0) return ofDns;
  const board = context.use(challengeBoardToken);
  const host = challenges?.bind_host || null;
  const solvers = new Map<ClientChallengeType, Solver>();
  if (challenges?.http?.disabled !== true)
    solvers.set('http-01', httpSolver(board, host, challenges?.http?.alternate_port || 80));
  if (challenges?.['tls-alpn']?.disabled !== true)
    solvers.set('tls-alpn-01', tlsAlpnSolver(board, host, challenges?.['tls-alpn']?.alternate_port || 443));
  if (solvers.size === 0)
    throw context.error('all challenges are disabled, so no name can be validated; enable at least one', 'challenges');
  return solvers;
}

async function rootsOf(config: AcmeOptions, context: Context): Promise<readonly string[] | null> {
  const files = config.trusted_roots_pem_files ?? [];
  if (files.length === 0) return null;
  const roots: string[] = [];
  for (const [index, file] of files.entries()) {
    const text = await readFile(expand(file), 'utf8').catch((error: unknown) => {
      throw context.error(messageOf(error), 'trusted_roots_pem_files', index);
    });
    if (!text.includes('-----BEGIN CERTIFICATE-----'))
      throw context.error('contains no PEM certificate', 'trusted_roots_pem_files', index);
    roots.push(text);
  }
  return roots;
}

async function proxyOf({ network_proxy: node }: AcmeOptions, context: Context): Promise<string | null> {
  if (node === null || node === undefined) return null;
  const { url } = await context.loadInline(networkProxies, node, 'from', 'network_proxy');
  return expand(url) || null;
}

function chainsOf({ preferred_chains: chains }: AcmeOptions): ChainPreference | null {
  if (chains === null || chains === undefined) return null;
  return {
    smallest: chains.smallest ?? false,
    rootCommonNames: chains.root_common_name ?? [],
    anyCommonNames: chains.any_common_name ?? [],
  };
}

function positive(value: AcmeOptions['acme_timeout'], at: string, context: Context): number | null {
  const milliseconds = parseDuration(value ?? 0);
  if (milliseconds < 0) throw context.error('must not be negative', at);
  return milliseconds === 0 ? null : milliseconds;
}
