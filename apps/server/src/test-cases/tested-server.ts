/** Runs the servers of a configuration under test, within this process. */
import type { Json, LogSink } from '@sluice/base';
import { findServer } from '@sluice/http-analysis';
import {
  LoopbackConnections,
  upstreamStandIn,
  type HttpApp,
  type Server,
  type UpstreamStandIn,
} from '@sluice/http-app';
import type { Registry } from '@sluice/registry';
import { detachedApp } from '../configuration/detached-app.ts';
import type { ReadConfig } from '../configuration/read-config.ts';
import { sendRequest, type ClientResponse } from './client.ts';
import { Play, Plays } from './play.ts';
import type { TestCase } from './read-cases.ts';
import { requestParts } from './request-parts.ts';
import { StandInSource } from './stand-in-source.ts';
import { StandInTransport } from './stand-in-transport.ts';
import { TestProbe, type Seen, type TestGuard } from './test-probe.ts';

/** Configuration document under test, with its source locations. */
export type TestedDocument = Pick<ReadConfig, 'document' | 'sources'>;

export interface Played {
  readonly response: ClientResponse;
  readonly play: Play;
}

export interface TestedParts {
  readonly registry: Registry;
  readonly sink: LogSink;
  readonly seen: Seen | null;
  /** Guard that rejects handlers and matchers. `null` if all of them may run. */
  readonly guard: TestGuard | null;
}

/** Server that runs test cases. It mocks upstreams, and doesn't bind, open or start anything. */
export class TestedServer {
  readonly #app: HttpApp;
  readonly #close: () => Promise<void>;
  readonly #plays: Plays;
  readonly #connections = new Map<Server, LoopbackConnections>();

  private constructor(app: HttpApp, close: () => Promise<void>, plays: Plays, probe: TestProbe) {
    this.#app = app;
    this.#close = close;
    this.#plays = plays;
    for (const server of app.servers.values()) {
      server.watch(probe);
      this.#connections.set(server, new LoopbackConnections(server));
    }
  }

  /** Provisions the configuration under test. Throws the same errors as loading it. */
  static async open(tested: TestedDocument, { registry, sink, seen, guard }: TestedParts): Promise<TestedServer> {
    const plays = new Plays();
    const standIn: UpstreamStandIn = {
      transport: (configured) => new StandInTransport(configured, plays),
      source: () => new StandInSource(plays),
    };
    const { app, close } = await detachedApp(tested, {
      registry,
      sink,
      services: new Map([[upstreamStandIn, standIn]]),
    });
    return new TestedServer(app, close, plays, new TestProbe(plays, seen, guard));
  }

  /** Runs a test case. Rejects if the request is invalid. */
  async play({ request: options, standIns }: TestCase): Promise<Played> {
    const { request, port, facts } = requestParts(options);
    const { server } = findServer(this.#app, options.server ?? undefined, port);
    const play = new Play(standIns);
    this.#plays.set(facts.notes, play);
    const connection = await (this.#connections.get(server) as LoopbackConnections).connect(facts);
    return { response: await sendRequest(connection, request), play };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connections) => connections.close()));
    await this.#close();
  }
}

/** Converts an inline configuration to a document under test. */
export function inlineDocument(document: Json): TestedDocument {
  return { document, sources: null };
}
