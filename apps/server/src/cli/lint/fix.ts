/** `--fix`: makes the changes that findings bring, in files of native JSON. */
import { writeFileSync } from 'node:fs';
import type { Json } from '@sluice/base';
import { applyOperations } from '@sluice/reconciler';
import type { Finding, FindingFix } from '@sluice/registry';

/** A document with one fix made. After each the checks run again, as places move. */
export function fixed(document: Json, { operations }: FindingFix): Json {
  return applyOperations(document, operations);
}

/** The first fix that there is. */
export function firstFix(findings: readonly Finding[]): FindingFix | null {
  return findings.find(({ fix }) => fix !== undefined)?.fix ?? null;
}

/** Writes a document as the file was written: with its indentation, and its last line end. */
export function writeJson(file: string, text: string, document: Json): void {
  const indentation = /\n([ \t]+)\S/.exec(text)?.[1] ?? '';
  writeFileSync(file, `${JSON.stringify(document, null, indentation)}${text.endsWith('\n') ? '\n' : ''}`);
}
