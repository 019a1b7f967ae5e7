/** `http.reverse_proxy.upstreams.multi`: combines several upstream sources. */
import { upstreamSources, type Exchange, type UpstreamSource } from '@sluice/http-app';
import { defineModule, inlineModules, options } from '@sluice/registry';
import { type Logger } from '@sluice/base';

export const multiModule = defineModule(upstreamSources, {
  name: 'multi',
  help: 'Combines several upstream sources. Sources that fail are skipped.',
  config: options({ sources: inlineModules('Upstream sources to combine, in order.', upstreamSources, 'source') }),
  async provision(config, context): Promise<UpstreamSource> {
    return new MultiSource(
      await context.loadInlineList(upstreamSources, config.sources ?? [], 'source', 'sources'),
      context.log,
    );
  },
});

const none: readonly string[] = [];

class MultiSource implements UpstreamSource {
  readonly #sources: readonly UpstreamSource[];
  readonly #log: Logger;
  /** Last result of each source. The concatenation of all results is cached in another array. */
  #parts: readonly (readonly string[])[] = [];
  #all: readonly string[] = none;

  constructor(sources: readonly UpstreamSource[], log: Logger) {
    this.#sources = sources;
    this.#log = log;
  }

  upstreams(exchange: Exchange): readonly string[] | Promise<readonly string[]> {
    const found = this.#sources.map((source) => this.#ask(source, exchange));
    if (found.every((each): each is readonly string[] => !(each instanceof Promise))) return this.#joined(found);
    return Promise.all(found).then((parts) => this.#joined(parts));
  }

  #ask(source: UpstreamSource, exchange: Exchange): readonly string[] | Promise<readonly string[]> {
    try {
      const each = source.upstreams(exchange);
      return each instanceof Promise ? each.catch((error: unknown) => this.#leftOut(error)) : each;
    } catch (error) {
      return this.#leftOut(error);
    }
  }

  #leftOut(error: unknown): readonly string[] {
    this.#log.warn('upstream source failed', { error });
    return none;
  }

  #joined(parts: readonly (readonly string[])[]): readonly string[] {
    if (parts.length !== this.#parts.length || parts.some((part, i) => part !== this.#parts[i])) {
      this.#parts = parts;
      this.#all = parts.flat();
    }
    return this.#all;
  }
}
