/** Implements `--fix`: applies the fixes of findings to native JSON files. */
import { writeFileSync } from 'node:fs';
import type { Json } from '@sluice/base';
import { applyOperations } from '@sluice/reconciler';
import type { Finding, FindingFix } from '@sluice/registry';

/** Applies a single fix. Checks must run again before the next fix, because locations move. */
export function fixed(document: Json, { operations }: FindingFix): Json {
  return applyOperations(document, operations);
}

export function firstFix(findings: readonly Finding[]): FindingFix | null {
  return findings.find(({ fix }) => fix !== undefined)?.fix ?? null;
}

/** Writes a JSON document with the file's original indentation and trailing newline. */
export function writeJson(file: string, text: string, document: Json): void {
  const indentation = /\n([ \t]+)\S/.exec(text)?.[1] ?? '';
  writeFileSync(file, `${JSON.stringify(document, null, indentation)}${text.endsWith('\n') ? '\n' : ''}`);
}
