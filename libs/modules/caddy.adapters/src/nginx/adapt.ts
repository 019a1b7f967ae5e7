/** Adapts an nginx configuration. This file is loaded on demand. */
import type { AdaptedConfig } from '@sluice/contracts';
import { Adaptation } from './adaptation.ts';
import { translateConfiguration } from './configuration.ts';
import { folderOf, readDirectives } from './syntax/include.ts';

/** Adapts an `nginx.conf`. `file` is empty if the input does not come from a file. */
export function adaptNginx(text: string, file: string, reads?: (pattern: string) => void): AdaptedConfig {
  const adaptation = new Adaptation(folderOf(file));
  const directives = readDirectives(text, file, {
    folder: adaptation.folder,
    warn: (directive, message) => adaptation.warn(directive, message),
    reads,
  });
  return { config: translateConfiguration(adaptation, directives), warnings: adaptation.warnings };
}
