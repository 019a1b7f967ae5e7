/** Runs the registered checks on the modules of a configuration, as part of dry runs. */
import { type Json, formatWhere, type ConfigPath, type Logger } from '@sluice/base';
import type { CheckedModule, ConfigCheck, Finding } from './check.ts';

export interface ModuleToCheck {
  readonly id: string;
  readonly path: ConfigPath;
  readonly node: Json;
}

/**
 * Returns the findings in module order. Omits duplicates at the same path. If a check fails, the error is logged and the other checks
 * continue.
 */
export async function runChecks(
  checks: readonly ConfigCheck[],
  modules: Iterable<ModuleToCheck>,
  document: Json,
  log: Logger,
): Promise<Finding[]> {
  const byModule = new Map<string, readonly ConfigCheck[]>();
  const findings = new Map<string, Finding>();
  for (const module of modules) {
    let wanted = byModule.get(module.id);
    if (wanted === undefined) byModule.set(module.id, (wanted = checks.filter((check) => isAbout(check, module.id))));
    for (const check of wanted) await run(check, { ...module, document }, findings, log);
  }
  return [...findings.values()];
}

async function run(
  check: ConfigCheck,
  module: CheckedModule,
  findings: Map<string, Finding>,
  log: Logger,
): Promise<void> {
  try {
    await check.check(module, (message, ...at) => {
      const path = formatWhere([...module.path, ...at]);
      findings.set(`${check.name} ${path}`, { check: check.name, severity: 'warning', path, message });
    });
  } catch (error) {
    log.error('configuration check failed', { check: check.name, where: formatWhere(module.path), error });
  }
}

function isAbout({ modules }: ConfigCheck, id: string): boolean {
  const all = `${id.slice(0, id.lastIndexOf('.'))}.*`;
  return modules.some((module) => module === id || module === all);
}
