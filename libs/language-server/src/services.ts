/** What the language server is given by the command that starts it. */
import type { Json } from '@sluice/base';
import type { Environment } from '@sluice/caddyfile';
import type { Finding, Registry } from '@sluice/registry';

/** Modules and directives that there are, and how a configuration is tried. */
export interface LanguageServices {
  /** All that ships with the server, and third-party packages. */
  readonly registry: Registry;
  /** Values of `{$NAME}`. */
  readonly environment: Environment;
  /** Version of the server, for the editor. */
  readonly version: string;
  /** Provisions a document and releases it, and gives what checks found. Throws where it can't be provisioned. */
  rehearse(document: Json): Promise<readonly Finding[]>;
}
