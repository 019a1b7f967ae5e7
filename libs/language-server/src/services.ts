/** What the language server is given by the command that starts it, and by the registry that is loaded later. */
import type { Environment, Json } from '@sluice/base';
import type { Finding, Registry } from '@sluice/registry';

/** What there is from the start. Editors wait for the response to their first request, and many never open a document. */
export interface EditorHost {
  /** Version of the server, for the editor. */
  readonly version: string;
  /** Loads the rest. Called once, with the first message about a document; those that follow wait for it. */
  load(): Promise<LanguageServices>;
}

/** Modules and directives that there are, and how a configuration is tried. */
export interface LanguageServices {
  /** All that ships with the server, and third-party packages. */
  readonly registry: Registry;
  /** Values of `{$NAME}`. */
  readonly environment: Environment;
  /** Provisions a document and releases it, and gives what checks found. Throws where it can't be provisioned. */
  rehearse(document: Json): Promise<readonly Finding[]>;
}
