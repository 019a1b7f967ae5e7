/** Adapts a text; loaded when there is one. */
import type { AdaptedConfig } from '@sluice/contracts';
import { Adaptation } from './adaptation.ts';
import { translateConfiguration } from './configuration.ts';
import { folderOf, readDirectives } from './syntax/include.ts';

/** The native form of `nginx.conf`; `file` is empty where it did not come from one. */
export function adaptNginx(text: string, file: string, reads?: (pattern: string) => void): AdaptedConfig {
  const adaptation = new Adaptation(folderOf(file));
  const directives = readDirectives(text, file, {
    folder: adaptation.folder,
    warn: (directive, message) => adaptation.warn(directive, message),
    reads,
  });
  return { config: translateConfiguration(adaptation, directives), warnings: adaptation.warnings };
}
