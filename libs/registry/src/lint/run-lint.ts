/** Runs all contributed lint checks on a document, for `sluice lint`, dry runs and the language server. */
import { formatWhere, type Json, type Logger } from '@sluice/base';
import type { Finding } from '../checks/check.ts';
import type { Registry } from '../modules/registry.ts';
import { readConfiguration, type LintedConfiguration } from './configuration.ts';
import { lintChecks, type LintCheck } from './lint-check.ts';

/** Loads all lint checks and sorts them by code. */
export async function loadLintChecks(registry: Registry): Promise<readonly LintCheck[]> {
  const loaded = [...registry.contributions(lintChecks).values()].map(({ load }) => load());
  return (await Promise.all(loaded)).toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

/** Returns the findings, sorted by path. If a check fails, the error is logged and the other checks continue. */
export async function lint(registry: Registry, document: Json, log: Logger): Promise<Finding[]> {
  const configuration = await readConfiguration(registry, document);
  const findings: Finding[] = [];
  for (const check of await loadLintChecks(registry)) {
    try {
      findings.push(...(await findingsOf(check, configuration)));
    } catch (error) {
      log.error('configuration check failed', { check: check.code, error });
    }
  }
  return findings.sort((a, b) => collator.compare(a.path, b.path));
}

const collator = new Intl.Collator('en', { numeric: true });

async function findingsOf(check: LintCheck, configuration: LintedConfiguration): Promise<Iterable<Finding>> {
  const { code, name, severity } = check;
  const page = pageOf(check);
  const found = new Map<string, Finding>();
  await check.check(configuration, (at, message, details = {}) => {
    const { related, fix } = details;
    const path = formatWhere(at);
    found.set(`${path} ${message}`, {
      check: name,
      code,
      severity: details.severity ?? severity,
      path,
      message,
      ...(page === undefined ? {} : { page }),
      ...(related === undefined
        ? {}
        : { related: related.map((each) => ({ path: formatWhere(each.path), message: each.message })) }),
      ...(fix === undefined ? {} : { fix }),
    });
  });
  return found.values();
}

/** Returns the documentation page of a check. Built-in checks have a page in the reference. Third-party checks have other codes. */
function pageOf({ code, page }: LintCheck): string | undefined {
  return page ?? (/^SL\d{3}$/.test(code) ? `reference/lint/${code}.md` : undefined);
}
