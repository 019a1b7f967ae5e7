/** A generated, instrumented configuration with the claims of `sluice lint` about it. */
import { silentLogger, type Json } from '@sluice/base';
import { httpApp, type Server } from '@sluice/http-app';
import { lint } from '@sluice/registry';
import type { TestServer } from '@sluice/testing';
import type { Random } from '../differential/random.ts';
import { claimsIn, isWithin, type Claim } from './claims.ts';
import { configurationOf, type Scheme } from './configuration.ts';
import { marked, placesIn } from './marks.ts';
import { requestOf, type ReachRequest } from './requests.ts';

/** A generated configuration and the lint claims about it. */
export class Situation {
  readonly document: Json;
  readonly running: Server;
  readonly claims: readonly Claim[];
  /** Routes and handlers. */
  readonly places: readonly string[];
  /** Claims, keyed by the configuration path of the unreachable route. */
  readonly unreachable: ReadonlyMap<string, Claim>;
  readonly #random: Random;
  readonly #scheme: Scheme;

  private constructor(random: Random, scheme: Scheme, parts: Pick<Situation, 'document' | 'running' | 'claims'>) {
    this.#random = random;
    this.#scheme = scheme;
    this.document = parts.document;
    this.running = parts.running;
    this.claims = parts.claims;
    this.places = placesIn(parts.document);
    const unreachable = new Map<string, Claim>();
    for (const place of this.places) {
      const claim = parts.claims.find((one) => isWithin(place, one));
      if (claim !== undefined) unreachable.set(place, claim);
    }
    this.unreachable = unreachable;
  }

  /** Generates a configuration and loads it into a server. The server listens on ports only if requested. */
  static async begin(
    server: TestServer,
    random: Random,
    { scheme, listen = [] }: { readonly scheme: Scheme; readonly listen?: readonly string[] },
  ): Promise<Situation> {
    const document = configurationOf(random, scheme, listen);
    const findings = await lint(server.reconciler.registry, document, silentLogger);
    await server.reconciler.load(marked(document), { force: false });
    const running = server.runtime.app(httpApp)?.servers.get('s');
    if (running === undefined) throw new Error('the configuration has no server');
    return new Situation(random, scheme, { document, running, claims: claimsIn(findings, document, scheme) });
  }

  /** Returns the next request. Half of the requests target a route that the linter reports as unreachable. */
  request(): { readonly request: ReachRequest; readonly isAimed: boolean } {
    const random = this.#random;
    const isAimed = this.claims.length > 0 && random.chance(0.5);
    const place = isAimed ? random.pick(this.claims).path : random.chance(0.8) ? random.pick(this.places) : null;
    const aim = place === null ? null : { document: this.document, place };
    return { request: requestOf(random, this.#scheme, aim), isAimed };
  }

  /** Returns a claim that the reached paths refute, or `null`. */
  wrongClaim(reached: ReadonlySet<string>): Claim | null {
    for (const place of reached) {
      const claim = this.unreachable.get(place);
      if (claim !== undefined) return claim;
    }
    return null;
  }
}
