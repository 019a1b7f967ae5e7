/** Dependencies of the language server, provided by the command and the registry, which is loaded later. */
import type { Environment, Json } from '@sluice/base';
import type { Finding, Registry } from '@sluice/registry';

/** Dependencies available at startup. Editors wait for the first response, and many never open a document. */
export interface EditorHost {
  readonly version: string;
  /** Loads the remaining services. Called once, for the first message about a document; later messages wait. */
  load(): Promise<LanguageServices>;
}

/** Available modules and directives, and provisioning. */
export interface LanguageServices {
  /** Built-in modules and third-party packages. */
  readonly registry: Registry;
  /** Values of `{$NAME}`. */
  readonly environment: Environment;
  /** Provisions a document as a dry run and returns the findings of checks. Throws if provisioning fails. */
  rehearse(document: Json): Promise<readonly Finding[]>;
}
