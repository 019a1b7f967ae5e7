/** Certificate management settings of a configuration. Used only in the control thread. */
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

/** Automation policies and limits for on-demand certificates. */
export interface AutomationSettings {
  readonly policies: readonly AutomationPolicy[];
  readonly defaults: DefaultPolicies;
  /** Permission module for on-demand certificates. `null` if none is configured, which disables on-demand certificates. */
  readonly permission: Permission | null;
  /** Interval between renewal checks, in milliseconds. */
  readonly renewInterval: number;
  /** Maximum number of on-demand certificates kept in memory. */
  readonly capacity: number;
  /** True to test the storage before ordering certificates. */
  readonly checksStorage: boolean;
  /** True to enable OCSP stapling. */
  readonly stapling: boolean;
  /** Maximum interval between attempts to fetch a due OCSP response, in milliseconds. */
  readonly ocspInterval: number;
  /** Interval between storage cleanups, in milliseconds. 0 disables them. */
  readonly cleanInterval: number;
}

/** Provisions the `automation` option of the `tls` app. */
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

/**
 * Returns the policy for a name. In order of precedence, this is the first policy that lists the name, the first policy for all names, or
 * the default policy.
 */
export function policyFor({ policies, defaults }: AutomationSettings, name: string): AutomationPolicy {
  return (
    policies.find((policy) => policy.subjects.length > 0 && isFor(policy, name)) ??
    policies.find((policy) => policy.subjects.length === 0) ??
    defaults.plain
  );
}

/** Reports whether certificate management is active: names are required, or policies exist. */
export function managesAny({ policies }: AutomationSettings, wanted: { readonly isEmpty: boolean }): boolean {
  return !wanted.isEmpty || policies.length > 0;
}

/** Returns the issuers to use for a name under a policy. */
export function issuersFor(
  { defaults }: AutomationSettings,
  policy: AutomationPolicy,
  name: string,
): readonly Issuer[] {
  if (policy.issuers !== null) return policy.issuers;
  return qualifiesForPublic(name) ? defaults.issuers.public : defaults.issuers.internal;
}
