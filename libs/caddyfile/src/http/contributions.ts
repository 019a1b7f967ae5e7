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
}

/** Directives, by name. */
export const directives: ContributionPoint<DirectiveContribution> = contributionPoint('directive');

/** Reads a global option. The cursor stands on its name. `earlier` is what it gave before, if it stands twice. */
export type GlobalOption = (reader: Dispenser, earlier: unknown, options: GlobalOptions) => unknown;

/** A global option, whose value is kept under its name. */
export interface GlobalOptionContribution extends Described {
  readonly load: () => Promise<GlobalOption>;
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
}

/** The syntaxes of modules, by module id. */
export const moduleSyntaxes: ContributionPoint<ModuleSyntaxContribution> = contributionPoint('syntax of module');

/** How a directive is written for a handler: the way back, which `convert` takes. Several may say the same handler. */
export interface DirectiveInverse extends Contribution {
  /** The label of the handler that it may be written for, such as `static_response`. */
  readonly handler: string;
  readonly load: () => Promise<WriteDirective>;
}

/** Inverses of directives, by name of the directive. */
export const directiveInverses: ContributionPoint<DirectiveInverse> = contributionPoint('inverse of directive');

/** How a directive is written for several routes that it makes at once. */
export interface SequenceInverse extends Contribution {
  readonly load: () => Promise<WriteSequence>;
}

/** Inverses of directives that make several routes, by name of the directive. */
export const sequenceInverses: ContributionPoint<SequenceInverse> = contributionPoint('inverse of directive of routes');

/** How a directive that is not about the routes of a site is written. They stand in the file in the order of the registry. */
export interface SiteInverse extends Contribution {
  readonly load: () => Promise<WriteSite>;
}

/** Inverses of directives such as `bind` and `log`, by name of the directive. */
export const siteInverses: ContributionPoint<SiteInverse> = contributionPoint('inverse of directive of sites');

/** How a global option is written. */
export interface GlobalInverse extends Contribution {
  readonly load: () => Promise<WriteGlobalOption>;
}

/** Inverses of global options, by name of the option. */
export const globalInverses: ContributionPoint<GlobalInverse> = contributionPoint('inverse of global option');

/** How the options of a module are written. */
export interface ModuleInverse extends Contribution {
  readonly load: () => Promise<WriteModule>;
}

/** Inverses of the syntaxes of modules, by module id. */
export const moduleInverses: ContributionPoint<ModuleInverse> = contributionPoint('inverse of syntax');
