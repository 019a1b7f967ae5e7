/**
 * Checks that look at a configuration as it is written, without provisioning any of it: `sluice lint`. Each has a code, a
 * page in the reference, and two configurations: one in which it finds something, and one beside it in which it must not.
 * A package contributes its checks, each in a file of its own that is loaded when something is linted:
 *
 *     registry.contribute(lintChecks, { name: 'MY001', load: async () => (await import('./empty-greeting.ts')).emptyGreeting });
 */
import type { ConfigPath } from '@sluice/base';
import type { FindingFix, Severity } from '../checks/check.ts';
import { contributionPoint, type Contribution, type ContributionPoint } from '../modules/contribution.ts';
import type { LintedConfiguration } from './configuration.ts';

/** What a check may say beside its message. */
export interface ReportDetails {
  /** Other than that of the check. */
  readonly severity?: Severity;
  /** Where else to look. */
  readonly related?: readonly { readonly path: ConfigPath; readonly message: string }[];
  /** Only where a change mends it that needs no thought. */
  readonly fix?: FindingFix;
}

/** Reports something: where, what is wrong and what to do, in one or two sentences without the place. */
export type Report = (at: ConfigPath, message: string, details?: ReportDetails) => void;

/** A configuration of a page, in a language that fences of Markdown know. */
export interface LintExample {
  readonly language: 'caddyfile' | 'json';
  readonly text: string;
}

/** One check. */
export interface LintCheck {
  /** Unique and forever: `SL001`; those of third parties begin with other letters. */
  readonly code: string;
  /** Name in kebab case: what it finds. */
  readonly name: string;
  readonly severity: Severity;
  /** One sentence: what it finds. */
  readonly summary: string;
  /** Why that matters and what to do, in Markdown. */
  readonly details: string;
  /** Where people read that, as an address (`https://…`). Left out by checks of the server, whose pages are in its reference. */
  readonly page?: string;
  /** Found. */
  readonly bad: LintExample;
  /** As near to it as can be, and right. */
  readonly good: LintExample;
  /** Must not change anything, nor ask anything beyond this machine. */
  check(configuration: LintedConfiguration, report: Report): void | Promise<void>;
}

/** Loads a check; its name is the code. */
export interface LintContribution extends Contribution {
  readonly load: () => Promise<LintCheck>;
}

/** Where packages bring their checks. */
export const lintChecks: ContributionPoint<LintContribution> = contributionPoint('lint check');

/** Types a check where it is written. */
export function defineLint(check: LintCheck): LintCheck {
  return Object.freeze(check);
}

/** An example in the language of Caddyfiles. */
export function caddyfile(text: string): LintExample {
  return { language: 'caddyfile', text };
}

/** An example in native JSON. */
export function nativeJson(value: object): LintExample {
  return { language: 'json', text: JSON.stringify(value, null, 2) };
}
