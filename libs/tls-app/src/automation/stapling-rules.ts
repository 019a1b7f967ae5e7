/** OCSP rules of a configuration. */
import { policyFor, type AutomationSettings } from './settings.ts';
import type { StaplingRules } from '../ocsp/rule.ts';

/** Returns the rules. The policy of a certificate's first name applies, also to loaded certificates. */
export function staplingRules(settings: AutomationSettings): StaplingRules {
  return ({ ocspResponder, names: [name = ''] }) => {
    if (ocspResponder === '' || !settings.stapling) return null;
    const { stapling, store } = policyFor(settings, name);
    const responder = stapling.overrides[ocspResponder] ?? ocspResponder;
    return stapling.disabled || responder === '' ? null : { responder, storage: store.storage };
  };
}
