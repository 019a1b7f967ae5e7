/** Registers the lint checks of this package, which are loaded on demand. */
import { lintChecks, type LintContribution, type Registry } from '@sluice/registry';

const contributions: readonly LintContribution[] = [
  { name: 'SL014', load: async () => (await import('./costly-pattern.ts')).costlyPattern },
  { name: 'SL015', load: async () => (await import('./unsupported-syntax.ts')).unsupportedSyntax },
  { name: 'SL016', load: async () => (await import('./impossible-path.ts')).impossiblePath },
  { name: 'SL017', load: async () => (await import('./unanchored-extension.ts')).unanchoredExtension },
  { name: 'SL050', load: async () => (await import('./constant-expression.ts')).constantExpression },
];

export function registerLint(registry: Registry): void {
  registry.contribute(lintChecks, ...contributions);
}
