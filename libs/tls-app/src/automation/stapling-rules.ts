/** OCSP stapling rules of a configuration. */
import { policyFor, type AutomationSettings } from './settings.ts';
import type { StaplingRules } from '../ocsp/rule.ts';

/** Returns the stapling rules. For each certificate, including loaded ones, the policy for its first name applies. */
export function staplingRules(settings: AutomationSettings): StaplingRules {
  return ({ ocspResponder, names: [name = ''] }) => {
    if (ocspResponder === '' || !settings.stapling) return null;
    const { stapling, store } = policyFor(settings, name);
    const responder = stapling.overrides[ocspResponder] ?? ocspResponder;
    return stapling.disabled || responder === '' ? null : { responder, storage: store.storage };
  };
}
