/** Contributions of packages to the Caddyfile: directives, global options and module syntaxes. */
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

/** Converts a directive to configuration. The reader's cursor is at its name. */
export type Directive = (reader: DirectiveReader) => readonly ConfigValue[];

/** Common fields of Caddyfile contributions. */
interface Described extends Contribution {
  /** Description for references and editors. */
  readonly describe?: () => Promise<Description>;
}

/** Site directive. Without an order, the directive is only valid in `route` blocks, or with the global option `order`. */
export interface DirectiveContribution extends Described {
  /** Global option whose `finish` function uses the data that the directive stores in its site. */
  readonly finishedBy?: string;
  readonly order?: DirectiveOrder;
  readonly load: () => Promise<Directive>;
  /**
   * Handler for which `convert` writes this directive, such as `static_response`. Several directives may write the same
   * handler.
   */
  readonly handler?: string;
  /** Position among directives for the same handler when `convert` selects one. Default: 0, first. */
  readonly tried?: number;
  readonly write?: () => Promise<WriteDirective>;
  /** Writes a directive that creates several routes. */
  readonly writeRoutes?: () => Promise<WriteSequence>;
  /** Writes a directive that sets site options other than routes. */
  readonly writeSite?: () => Promise<WriteSite>;
}

export const directives: ContributionPoint<DirectiveContribution> = contributionPoint('directive');

/** Parses a global option. The cursor is at the option name. `earlier` is the previous value if the option occurs twice. */
export type GlobalOption = (reader: Dispenser, earlier: unknown, options: GlobalOptions) => unknown;

/** Global option. The value is stored under the option name. */
export interface GlobalOptionContribution extends Described {
  readonly load: () => Promise<GlobalOption>;
  readonly write?: () => Promise<WriteGlobalOption>;
  /** Generates configuration from the values when all sites are known. */
  readonly finish?: () => Promise<FinishConfig>;
}

/** Modifies the document under construction. A site may occur more than once, with its addresses on each listener. */
export type FinishConfig = (config: Record<string, Json>, options: GlobalOptions, sites: readonly Site[]) => void;

export const globalOptions: ContributionPoint<GlobalOptionContribution> = contributionPoint('global option');

/** Parses module options. The cursor is at the module name. */
export type ModuleSyntax = (reader: Dispenser) => Json;

/** Module syntax. The name is the module ID, such as `http.matchers.path`. */
export interface ModuleSyntaxContribution extends Described {
  readonly load: () => Promise<ModuleSyntax>;
  readonly write?: () => Promise<WriteModule>;
}

export const moduleSyntaxes: ContributionPoint<ModuleSyntaxContribution> = contributionPoint('syntax of module');
