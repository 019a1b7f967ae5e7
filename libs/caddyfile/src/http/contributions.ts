/** Contribution points for the Caddyfile: directives, global options, and module syntaxes. */
import { contributionPoint, type Contribution, type ContributionPoint } from '@sluice/registry';
import type { Json } from '@sluice/base';
import type { Dispenser } from '../dispenser/dispenser.ts';
import type { DirectiveReader } from './directive-reader.ts';
import type { ConfigValue } from './config-value.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Description } from './description.ts';
import type { DirectiveOrder } from './order-hint.ts';
import type { Site } from './site.ts';
import type { WriteDirective, WriteGlobalOption, WriteModule, WriteSequence, WriteSite } from '../inverse/written.ts';

/** Converts a directive to configuration. The cursor of the reader must be on the directive name. */
export type Directive = (reader: DirectiveReader) => readonly ConfigValue[];

/** Fields that all kinds of Caddyfile contributions share. */
interface Described extends Contribution {
  /** Loads the description for the reference documentation and for editors. */
  readonly describe?: () => Promise<Description>;
}

/** A site directive. A directive without an order is only valid in `route` blocks, or with the global option `order`. */
export interface DirectiveContribution extends Described {
  /** Global option whose `finish` function processes the data that this directive stores in its site. */
  readonly finishedBy?: string;
  readonly order?: DirectiveOrder;
  readonly load: () => Promise<Directive>;
  /**
   * Handler for which `convert` writes this directive, such as `static_response`. Several directives may write the same
   * handler.
   */
  readonly handler?: string;
  /** Priority among the directives that can write the same handler, for use by `convert`. Lower values come first. Default: 0. */
  readonly tried?: number;
  readonly write?: () => Promise<WriteDirective>;
  /** Loads the function that writes a directive for several routes. */
  readonly writeRoutes?: () => Promise<WriteSequence>;
  /** Loads the function that writes a directive for site settings other than routes. */
  readonly writeSite?: () => Promise<WriteSite>;
}

export const directives: ContributionPoint<DirectiveContribution> = contributionPoint('directive');

/** Parses a global option. The cursor must be on the option name. `earlier` is the previous value if the option occurs twice. */
export type GlobalOption = (reader: Dispenser, earlier: unknown, options: GlobalOptions) => unknown;

/** A global option. Its value is stored under the option name. */
export interface GlobalOptionContribution extends Described {
  readonly load: () => Promise<GlobalOption>;
  readonly write?: () => Promise<WriteGlobalOption>;
  /** Loads the function that generates configuration from the option values after all sites have been parsed. */
  readonly finish?: () => Promise<FinishConfig>;
}

/**
 * Modifies the document under construction. A site may occur several times in `sites`, once for each listener, with the addresses on that
 * listener.
 */
export type FinishConfig = (config: Record<string, Json>, options: GlobalOptions, sites: readonly Site[]) => void;

export const globalOptions: ContributionPoint<GlobalOptionContribution> = contributionPoint('global option');

/** Parses the options of a module. The cursor must be on the module name. */
export type ModuleSyntax = (reader: Dispenser) => Json;

/** Caddyfile syntax of a module. `name` is the module ID, such as `http.matchers.path`. */
export interface ModuleSyntaxContribution extends Described {
  readonly load: () => Promise<ModuleSyntax>;
  readonly write?: () => Promise<WriteModule>;
}

export const moduleSyntaxes: ContributionPoint<ModuleSyntaxContribution> = contributionPoint('syntax of module');
