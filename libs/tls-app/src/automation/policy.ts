/** Automation policies, which define issuers and settings for names. Used only in the control thread. */
import { storages, storageToken } from '@sluice/contracts';
import type { Context, Options } from '@sluice/registry';
import type { JsonArray, JsonObject } from '@sluice/base';
import { certificateManagers, type CertificateManager } from '../contracts/certificate-manager.ts';
import { matchesName, normalName } from '../certificates/names.ts';
import { expandGlobal } from '../global-text.ts';
import { certificateStorageToken, issuers, type Issuer } from '../contracts/issuer.ts';
import type { automationPolicyOptions } from '../options.ts';
import { CertificateStore } from './certificate-store.ts';
import { keyTypes } from './key-type.ts';

/** OCSP stapling settings of an automation policy. */
export interface StaplingPolicy {
  readonly disabled: boolean;
  /** Replacement OCSP responder URLs, by original URL. An empty replacement disables OCSP. */
  readonly overrides: Readonly<Record<string, string>>;
}

export interface DefaultIssuers {
  /** Issuers for names that public CAs can validate. */
  readonly public: readonly Issuer[];
  /** Issuers for `localhost`, IP addresses and other internal names. */
  readonly internal: readonly Issuer[];
}

export interface AutomationPolicy {
  /** Normalized names and wildcards that the policy applies to. Empty means all names. */
  readonly subjects: readonly string[];
  /** Issuers in order of preference. `null` selects the default issuers. */
  readonly issuers: readonly Issuer[] | null;
  readonly managers: readonly CertificateManager[];
  readonly keyType: string;
  readonly mustStaple: boolean;
  readonly onDemand: boolean;
  readonly reusePrivateKeys: boolean;
  /** Fraction of the certificate lifetime that remains when the certificate is renewed. */
  readonly renewalWindowRatio: number;
  readonly stapling: StaplingPolicy;
  readonly store: CertificateStore;
}

/** Reports whether a policy applies to a name, either explicitly or because it applies to all names. */
export function isFor({ subjects }: AutomationPolicy, name: string): boolean {
  return subjects.length === 0 || subjects.some((subject) => matchesName(subject, name));
}

const defaultRatio = 1 / 3;

export async function provisionAutomationPolicy(node: JsonObject, context: Context): Promise<AutomationPolicy> {
  const config = node as Options<typeof automationPolicyOptions>;
  const keyType = config.key_type || 'p256';
  if (!keyTypes.includes(keyType))
    throw context.error(
      `${JSON.stringify(keyType)} is not a valid key type; use one of ${keyTypes.join(', ')}`,
      'key_type',
    );
  const ratio = config.renewal_window_ratio ?? 0;
  if (ratio < 0 || ratio >= 1) throw context.error('must be between 0 and 1', 'renewal_window_ratio');
  const storage =
    (config.storage ?? null) === null
      ? await context.app(storageToken)
      : await context.loadInline(storages, config.storage ?? {}, 'module', 'storage');
  context.provide(certificateStorageToken, storage);
  const issuerNodes = (config.issuers ?? []) as JsonArray;
  const managerNodes = (config.get_certificate ?? []) as JsonArray;
  return {
    subjects: (config.subjects ?? []).map((name) => normalName(expandGlobal(name))),
    issuers: issuerNodes.length === 0 ? null : await context.loadInlineList(issuers, issuerNodes, 'module', 'issuers'),
    managers: await context.loadInlineList(certificateManagers, managerNodes, 'via', 'get_certificate'),
    keyType,
    mustStaple: config.must_staple ?? false,
    onDemand: config.on_demand ?? false,
    reusePrivateKeys: config.reuse_private_keys ?? false,
    renewalWindowRatio: ratio === 0 ? defaultRatio : ratio,
    stapling: { disabled: config.disable_ocsp_stapling ?? false, overrides: overridesOf(config, context) },
    store: new CertificateStore(storage, context.log),
  };
}

function overridesOf(
  { ocsp_overrides: overrides }: Options<typeof automationPolicyOptions>,
  context: Context,
): Readonly<Record<string, string>> {
  for (const [from, to] of Object.entries(overrides ?? {}))
    if (to !== '' && !/^https?:$/.test(URL.parse(to)?.protocol ?? ''))
      throw context.error(`${JSON.stringify(to)} is not an http or https URL`, 'ocsp_overrides', from);
  return overrides ?? {};
}

/** Default policy configurations. They are constant objects, so the same policy instances remain in use after configuration changes. */
const internalNode: JsonObject = Object.freeze({ issuers: Object.freeze([Object.freeze({ module: 'internal' })]) });
const publicNode: JsonObject = Object.freeze({ issuers: Object.freeze([Object.freeze({ module: 'acme' })]) });
const plainNode: JsonObject = Object.freeze({});

/** Policies and issuers that apply if the configuration defines none. */
export interface DefaultPolicies {
  readonly plain: AutomationPolicy;
  readonly issuers: DefaultIssuers;
}

/** Provisions the default policy and issuers. Skips issuers that no installed package provides. */
export async function provisionDefaults(context: Context): Promise<DefaultPolicies> {
  const plain = await context.structure(plainNode, provisionAutomationPolicy, 'automation', 'default');
  return {
    plain,
    issuers: {
      internal: await defaultIssuers(internalNode, 'internal', context),
      public: await defaultIssuers(publicNode, 'public', context),
    },
  };
}

async function defaultIssuers(node: JsonObject, name: string, context: Context): Promise<readonly Issuer[]> {
  try {
    const policy = await context.structure(node, provisionAutomationPolicy, 'automation', 'default', name);
    return policy.issuers ?? [];
  } catch (error) {
    context.log.debug('default certificate issuer is not available', { issuer: name, error });
    return [];
  }
}
