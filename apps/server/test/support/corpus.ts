/**
 * Reads test configurations that are stored in one file. Each configuration begins with a line `== title`. Text that begins like JSON is
 * parsed as JSON, and other text as a Caddyfile.
 */
import { readFileSync } from 'node:fs';
import type { Json } from '@sluice/base';
import { adaptConfig } from '@sluice/reconciler';
import type { Registry } from '@sluice/registry';

/** One configuration. */
export interface CorpusEntry {
  readonly title: string;
  readonly language: 'caddyfile' | 'json';
  readonly text: string;
}

/** Reads a file of test configurations. */
export function readCorpus(file: URL): readonly CorpusEntry[] {
  const [, ...parts] = readFileSync(file, 'utf8').split(/^== /m);
  return parts.map((part) => {
    const [title = '', ...lines] = part.trimEnd().split('\n');
    const text = `${lines.join('\n')}\n`;
    return { title, text, language: text.startsWith('{"') ? 'json' : 'caddyfile' };
  });
}

/** Returns the JSON document that a test configuration describes. */
export async function documentOf(registry: Registry, { language, text }: CorpusEntry): Promise<Json> {
  return language === 'json' ? (JSON.parse(text) as Json) : (await adaptConfig(registry, 'caddyfile', text)).config;
}
