/** Dependencies of the language server. The command provides some at startup, and the others are loaded with the registry. */
import type { Environment, Json } from '@sluice/base';
import type { Finding, Registry } from '@sluice/registry';

/**
 * Dependencies that are available at startup. The others are loaded later, because editors wait for the first response, and many never open
 * a document.
 */
export interface EditorHost {
  readonly version: string;
  /** Loads the remaining services. Called once, for the first message about a document. Later messages wait for it. */
  load(): Promise<LanguageServices>;
}

/** Available modules and directives, and a function that provisions a document. */
export interface LanguageServices {
  /** Registry of built-in modules and third-party packages. */
  readonly registry: Registry;
  /** Values of `{$NAME}`. */
  readonly environment: Environment;
  /** Provisions a document in a dry run and returns the findings of configuration checks. Throws if provisioning fails. */
  rehearse(document: Json): Promise<readonly Finding[]>;
}
