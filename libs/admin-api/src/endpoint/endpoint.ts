/**
 * The admin API endpoint, which survives configuration reloads. If a new configuration specifies another address, the endpoint binds that
 * address while the change is being prepared. It releases the old address when the change becomes active.
 */
import { guarded, isUnixNetwork, ListenSockets, taskOf, type Logger, type NetworkAddress } from '@sluice/base';
import { openAccess } from '../access/access.ts';
import { Sessions } from '../dashboard/sessions.ts';
import type { ApiRequest } from '../messages/request.ts';
import type { ApiResponse } from '../messages/response.ts';
import { defaultSocketMode, isSameAddress, parseAdminAddress } from './address.ts';
import { Binding } from './binding.ts';
import { Guard, type GuardSettings } from './guard.ts';
import type { SecureSettings } from './secure-server.ts';
import { defaultTimeout, WaitingRequests } from './waiting.ts';

export interface EndpointSettings extends GuardSettings {
  readonly disabled: boolean;
  /** Listen address. `null` selects the default address. */
  readonly listen: string | null;
  readonly secure: SecureSettings | null;
}

/** Endpoint settings that are ready to be adopted. The address is bound but not active yet. */
export interface PreparedEndpoint {
  readonly settings: EndpointSettings;
  /** Permissions of a Unix socket. `null` for other addresses. */
  readonly mode: number | null;
  /** Binding that serves the endpoint. `null` if the endpoint is disabled. */
  readonly binding: Binding | null;
}

export interface EndpointOptions {
  /** Default listen address, such as `localhost:2019`. */
  readonly defaultAddress: string;
  readonly log: Logger;
  /** Listening sockets inherited from the previous process, and sockets to hand over to the next process. */
  readonly sockets?: ListenSockets;
  /** Maximum time that requests wait for the server to start, in milliseconds. Default: 30 s. */
  readonly timeout?: number;
}

/** Handles a request that the endpoint accepted. The guard belongs to the address on which the request arrived. */
export type EndpointListener = (request: ApiRequest, response: ApiResponse, guard: Guard) => void;

const defaultSettings: EndpointSettings = {
  disabled: false,
  listen: null,
  enforceOrigin: false,
  origins: null,
  anyHost: false,
  ui: true,
  externalReads: 'unrestricted',
  access: openAccess,
  secure: null,
};

/** Owns the listening sockets of the admin API. This runtime service is created before the runtime. */
export class AdminEndpoint {
  readonly defaultAddress: string;
  /** Dashboard sessions. */
  readonly sessions = new Sessions();
  /** Identifies the dry run in progress. While this field is set, the endpoint doesn't bind addresses. `null` if there is no dry run. */
  rehearsal: symbol | null = null;
  readonly #log: Logger;
  readonly #sockets: ListenSockets;
  readonly #retired = new Set<Binding>();
  #current: Binding | null = null;
  #load: (() => Promise<EndpointListener>) | null = null;
  #loading: Promise<void> | null = null;
  #listener: EndpointListener | null = null;
  readonly #waiting: WaitingRequests;

  constructor(options: EndpointOptions) {
    this.defaultAddress = options.defaultAddress;
    this.#log = options.log;
    this.#sockets = options.sockets ?? new ListenSockets();
    this.#waiting = new WaitingRequests(options.timeout ?? defaultTimeout);
  }

  /** Returns the current address, such as `localhost:2019` or `unix//run/admin.sock`. Returns `null` if the endpoint is not listening. */
  get address(): string | null {
    return this.#current?.text ?? null;
  }

  /**
   * Sets the function that loads the request listener. The endpoint calls `load` once it has an address to listen on. Requests wait until
   * loading has finished. The admin server calls this method once.
   */
  serve(load: () => Promise<EndpointListener>): void {
    this.#load = load;
    if (this.#current !== null) this.#loadOnce();
  }

  /**
   * Resolves when the endpoint can serve requests. Resolves immediately if the endpoint has no address. Rejects if the admin API fails to
   * load.
   */
  async ready(): Promise<void> {
    await this.#loading;
  }

  /** Listens on the given address, or on the default address. An existing listener moves to the new address without downtime. */
  async listen(address: string | null = null): Promise<void> {
    this.adopt(await this.prepare({ ...defaultSettings, listen: address }));
  }

  /**
   * Binds the addresses that the settings require, unless they are already bound. Rejects on failure. Callers must then call `adopt` or
   * `discard`.
   */
  async prepare(settings: EndpointSettings): Promise<PreparedEndpoint> {
    if (settings.disabled) return { settings, mode: null, binding: null };
    this.#loadOnce();
    const address = parseAdminAddress(settings.listen ?? this.defaultAddress);
    const mode = isFile(address) ? (address.mode ?? defaultSocketMode) : null;
    const current = this.#current;
    if (this.rehearsal !== null || (current !== null && isSameAddress(current.address, address)))
      return { settings, mode, binding: current };
    await this.settled();
    const shared = current !== null && sharesPort(current, address);
    const binding = await Binding.open(address, (request, response, self) => this.#respond(request, response, self), {
      shared,
      secure: settings.secure,
      log: this.#log,
      sockets: this.#sockets,
    });
    return { settings, mode, binding };
  }

  /** Activates prepared settings. If the address has changed, the previous address completes its responses in flight and closes. */
  adopt({ settings, mode, binding }: PreparedEndpoint): void {
    const before = this.#current;
    this.#current = binding;
    if (binding !== null) {
      binding.begin();
      binding.guard = new Guard(settings, binding.address, binding.port);
      binding.secure = settings.secure;
      binding.refreshCertificate();
    }
    this.#retryWaiting();
    if (binding === before) {
      if (mode !== null) this.#setMode(binding, mode);
      return;
    }
    if (before !== null) this.#retire(before);
    if (binding === null) this.#log.warn('admin endpoint is disabled');
    else this.#log.info('admin endpoint listening', { address: binding.text });
  }

  /** Releases resources prepared for settings that did not become active. */
  discard({ binding }: PreparedEndpoint): void {
    if (binding === null || binding === this.#current) return;
    this.#waiting.refuse(binding);
    this.#retire(binding, true);
  }

  /** Resolves when all previous addresses have stopped listening. */
  async settled(): Promise<void> {
    await Promise.all([...this.#retired].map((binding) => binding.unbound));
  }

  /** Stops accepting connections, because another process now accepts on the same sockets. Responses in flight are completed. */
  leave(): void {
    if (this.#current !== null) this.#retire(this.#current);
    this.#current = null;
  }

  /** Stops listening and waits up to `graceMs` milliseconds for responses in flight. Then closes all connections. */
  async close(graceMs = 1000): Promise<void> {
    const bindings = [...this.#retired];
    if (this.#current !== null) bindings.push(this.#current);
    this.#current = null;
    await Promise.all(bindings.map((binding) => binding.close(graceMs)));
    this.#retired.clear();
  }

  #loadOnce(): void {
    if (this.#load === null || this.#loading !== null) return;
    this.#loading = this.#load().then((listener) => {
      this.#listener = listener;
      this.#retryWaiting();
    });
    this.#loading.catch((error: unknown) => this.#log.error('failed to load the admin API', { error }));
  }

  #setMode(binding: Binding | null, mode: number): void {
    try {
      binding?.setMode(mode);
    } catch (error) {
      this.#log.error('failed to set the permissions of the admin socket', { error });
    }
  }

  #retire(binding: Binding, now = false): void {
    this.#retired.add(binding);
    binding.retire(now);
    void binding.closed.then(() => this.#retired.delete(binding));
  }

  /** Handles a request. A prepared binding already accepts connections, but their requests wait until the binding is active. */
  #respond(request: ApiRequest, response: ApiResponse, binding: Binding): void {
    if (!this.#serve(request, response, binding)) this.#waiting.add(request, response, binding);
  }

  /** Serves a request if the admin API is loaded and the binding has a guard. Otherwise, returns false. */
  #serve(request: ApiRequest, response: ApiResponse, { guard }: Binding): boolean {
    if (guard === null || this.#listener === null) return false;
    this.#listener(request, response, guard);
    return true;
  }

  /**
   * Defers processing of the waiting requests. Settings are adopted before the change is fully active, but these requests must use the new
   * configuration.
   */
  #retryWaiting(): void {
    setImmediate(
      guarded(taskOf('admin'), () =>
        this.#waiting.retry((request, response, binding) => this.#serve(request, response, binding)),
      ),
    );
  }
}

function isFile({ network, host }: NetworkAddress): boolean {
  return isUnixNetwork(network) && !host.startsWith('@');
}

/** Reports whether an address may conflict with a bound address. For example, `:2019` conflicts with `localhost:2019`. */
function sharesPort(binding: Binding, address: NetworkAddress): boolean {
  return (
    !isUnixNetwork(binding.address.network) && !isUnixNetwork(address.network) && binding.port === address.startPort
  );
}
