/** The OCSP rules of a configuration. */
import { policyFor, type AutomationSettings } from './settings.ts';
import type { StaplingRules } from '../ocsp/rule.ts';

/** The rules of a configuration: those of the policy for the first name, also for certificates that are loaded. */
export function staplingRules(settings: AutomationSettings): StaplingRules {
  return ({ ocspResponder, names: [name = ''] }) => {
    if (ocspResponder === '' || !settings.stapling) return null;
    const { stapling, store } = policyFor(settings, name);
    const responder = stapling.overrides[ocspResponder] ?? ocspResponder;
    return stapling.disabled || responder === '' ? null : { responder, storage: store.storage };
  };
}
