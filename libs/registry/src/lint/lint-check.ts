/**
 * Static checks for `sluice lint`. They read a configuration without provisioning it.
 *
 * Each check has a code, a reference page, and two examples: one with a finding, and a similar one without.
 *
 * A package contributes each check as a separate file, which is loaded on demand:
 *
 *     registry.contribute(lintChecks, { name: 'MY001', load: async () => (await import('./empty-greeting.ts')).emptyGreeting });
 */
import type { ConfigPath } from '@sluice/base';
import type { FindingFix, Severity } from '../checks/check.ts';
import { contributionPoint, type Contribution, type ContributionPoint } from '../modules/contribution.ts';
import type { LintedConfiguration } from './configuration.ts';

/** Optional details of a finding. */
export interface ReportDetails {
  readonly severity?: Severity;
  /** Related locations. */
  readonly related?: readonly { readonly path: ConfigPath; readonly message: string }[];
  /** Fix that is safe to apply automatically. */
  readonly fix?: FindingFix;
}

/**
 * Reports a problem at a path. The message states the problem and the fix in one or two sentences, without the path.
 */
export type Report = (at: ConfigPath, message: string, details?: ReportDetails) => void;

/** An example on a reference page. `language` is also the language of the Markdown code fence. */
export interface LintExample {
  readonly language: 'caddyfile' | 'json';
  readonly text: string;
}

export interface LintCheck {
  /** Unique, permanent code, such as `SL001`. Third-party codes start with other letters. */
  readonly code: string;
  /** Name of the problem in kebab case. */
  readonly name: string;
  readonly severity: Severity;
  /** One-sentence description of the problem. */
  readonly summary: string;
  /** Consequences of the problem and how to fix it, in Markdown. */
  readonly details: string;
  /** Documentation URL (`https://…`). Absent for built-in checks, which have a reference page. */
  readonly page?: string;
  /** An example that produces a finding. */
  readonly bad: LintExample;
  /** A similar example that produces no findings. */
  readonly good: LintExample;
  /** Runs the check. Must not have side effects or access the network. */
  check(configuration: LintedConfiguration, report: Report): void | Promise<void>;
}

/** Contributes a check, which is loaded on demand. The name is the check's code. */
export interface LintContribution extends Contribution {
  readonly load: () => Promise<LintCheck>;
}

export const lintChecks: ContributionPoint<LintContribution> = contributionPoint('lint check');

export function defineLint(check: LintCheck): LintCheck {
  return Object.freeze(check);
}

/** Creates an example in Caddyfile syntax. */
export function caddyfile(text: string): LintExample {
  return { language: 'caddyfile', text };
}

export function nativeJson(value: object): LintExample {
  return { language: 'json', text: JSON.stringify(value, null, 2) };
}
