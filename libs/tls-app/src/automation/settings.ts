/** What a configuration says about the management of certificates. In the control thread. */
import { parseDuration, type JsonArray } from '@sluice/base';
import type { Context, Options } from '@sluice/registry';
import { permissions, type Permission } from '../contracts/permission.ts';
import type { Issuer } from '../contracts/issuer.ts';
import type { tlsOptions } from '../options.ts';
import {
  isFor,
  provisionAutomationPolicy,
  provisionDefaults,
  type AutomationPolicy,
  type DefaultPolicies,
} from './policy.ts';
import { qualifiesForPublic } from './qualify.ts';

/** Policies, and bounds of certificates on demand. */
export interface AutomationSettings {
  readonly policies: readonly AutomationPolicy[];
  readonly defaults: DefaultPolicies;
  /** `null` where the configuration names none: then nothing is obtained on demand. */
  readonly permission: Permission | null;
  /** How often certificates are looked at, in milliseconds. */
  readonly renewInterval: number;
  /** How many certificates on demand stay in memory. */
  readonly capacity: number;
  /** Whether storages are tried before certificates are ordered. */
  readonly checksStorage: boolean;
  /** Whether OCSP responses are stapled at all. */
  readonly stapling: boolean;
  /** Longest time between two attempts to get an OCSP response that is due, in milliseconds. */
  readonly ocspInterval: number;
  /** How often old things are removed from storage, in milliseconds; 0: never. */
  readonly cleanInterval: number;
}

/** Provisions the option `automation`. */
export async function automationSettings(
  config: Options<typeof tlsOptions>,
  context: Context,
): Promise<AutomationSettings> {
  const automation = config.automation ?? {};
  if ((config.cache?.capacity ?? 0) < 0) throw context.error('must not be negative', 'cache', 'capacity');
  const nodes = (automation.policies ?? []) as JsonArray;
  const { items } = await context.list(nodes, provisionAutomationPolicy, 'automation', 'policies');
  const permission = automation.on_demand?.permission ?? null;
  return {
    policies: items.toArray(),
    defaults: await provisionDefaults(context),
    permission:
      permission === null
        ? null
        : await context.loadInline(permissions, permission, 'module', 'automation', 'on_demand', 'permission'),
    renewInterval: parseDuration(automation.renew_interval ?? 0) || 10 * 60_000,
    capacity: config.cache?.capacity || 10_000,
    checksStorage: config.disable_storage_check !== true,
    stapling: config.disable_ocsp_stapling !== true,
    ocspInterval: parseDuration(automation.ocsp_interval ?? 0) || 3_600_000,
    cleanInterval:
      config.disable_storage_clean === true ? 0 : parseDuration(automation.storage_clean_interval ?? 0) || 86_400_000,
  };
}

/** The policy for a name: the first that names it, else the first for all, else the default one. */
export function policyFor({ policies, defaults }: AutomationSettings, name: string): AutomationPolicy {
  return (
    policies.find((policy) => policy.subjects.length > 0 && isFor(policy, name)) ??
    policies.find((policy) => policy.subjects.length === 0) ??
    defaults.plain
  );
}

/** Whether certificates are obtained, for names that are wanted or on demand, or policies are there that say how. */
export function managesAny({ policies }: AutomationSettings, wanted: { readonly isEmpty: boolean }): boolean {
  return !wanted.isEmpty || policies.length > 0;
}

/** Who issues for a name under a policy. */
export function issuersFor(
  { defaults }: AutomationSettings,
  policy: AutomationPolicy,
  name: string,
): readonly Issuer[] {
  if (policy.issuers !== null) return policy.issuers;
  return qualifiesForPublic(name) ? defaults.issuers.public : defaults.issuers.internal;
}
