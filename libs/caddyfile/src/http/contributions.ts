/** What packages bring to the Caddyfile: directives, global options, and the syntax of modules. */
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

/** Makes configuration of a directive. The cursor of the reader stands on its name. */
export type Directive = (reader: DirectiveReader) => readonly ConfigValue[];

/** What contributions to the Caddyfile have in common. */
interface Described extends Contribution {
  /** What it says of itself, for references and editors. */
  readonly describe?: () => Promise<Description>;
}

/** A directive of sites. One without an order can only be used in `route` blocks, or with the global option `order`. */
export interface DirectiveContribution extends Described {
  /** The global option whose `finish` makes configuration of what the directive leaves with its site. */
  readonly finishedBy?: string;
  readonly order?: DirectiveOrder;
  readonly load: () => Promise<Directive>;
  /** The handler for which `convert` may write it, such as `static_response`; several directives may set the same handler. */
  readonly handler?: string;
  /** Position among the directives for the same handler when `convert` looks for one. Default: 0, first. */
  readonly tried?: number;
  /** Writes it for the handler. */
  readonly write?: () => Promise<WriteDirective>;
  /** Writes it for several routes that it makes at once. */
  readonly writeRoutes?: () => Promise<WriteSequence>;
  /** Writes it for what a site has besides its routes. */
  readonly writeSite?: () => Promise<WriteSite>;
}

/** Directives, by name. */
export const directives: ContributionPoint<DirectiveContribution> = contributionPoint('directive');

/** Reads a global option. The cursor stands on its name. `earlier` is what it gave before, if it stands twice. */
export type GlobalOption = (reader: Dispenser, earlier: unknown, options: GlobalOptions) => unknown;

/** A global option, whose value is kept under its name. */
export interface GlobalOptionContribution extends Described {
  readonly load: () => Promise<GlobalOption>;
  readonly write?: () => Promise<WriteGlobalOption>;
  /** Makes configuration of what was read, when all sites are known. */
  readonly finish?: () => Promise<FinishConfig>;
}

/** Changes the document that is being made. A site may be there more than once: with its addresses of each listener. */
export type FinishConfig = (config: Record<string, Json>, options: GlobalOptions, sites: readonly Site[]) => void;

/** Global options, by name. */
export const globalOptions: ContributionPoint<GlobalOptionContribution> = contributionPoint('global option');

/** Reads the options of a module. The cursor stands on its name. */
export type ModuleSyntax = (reader: Dispenser) => Json;

/** The syntax of a module; its name is the module's id, such as `http.matchers.path`. */
export interface ModuleSyntaxContribution extends Described {
  readonly load: () => Promise<ModuleSyntax>;
  readonly write?: () => Promise<WriteModule>;
}

/** The syntaxes of modules, by module id. */
export const moduleSyntaxes: ContributionPoint<ModuleSyntaxContribution> = contributionPoint('syntax of module');
