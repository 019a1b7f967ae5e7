/** The `maintenance` app with an admin API route. The `maintenance` handler rejects requests while maintenance mode is on. */
import {
  apps,
  appToken,
  boolean,
  defineModule,
  HttpError,
  httpHandlers,
  options,
  sharedCellsToken,
  type HttpHandler,
  type Registry,
  type SharedCell,
} from '@sluice/module';
import { addMaintenanceCommand } from './maintenance-command.ts';
import { addMaintenanceRoutes } from './maintenance-routes.ts';

export interface MaintenanceApp {
  isOn(): boolean;
  set(on: boolean): void;
}

/** Token that handlers and admin API routes use to get the `maintenance` app. */
export const maintenanceApp = appToken<MaintenanceApp>('maintenance');

class Maintenance implements MaintenanceApp {
  readonly #cell: SharedCell;

  constructor(cell: SharedCell) {
    this.#cell = cell;
  }

  isOn(): boolean {
    return this.#cell.get(0) === 1;
  }

  set(on: boolean): void {
    this.#cell.set(0, on ? 1 : 0);
  }
}

/** Example: `{"apps": {"maintenance": {"on": false}}}` */
const maintenanceModule = defineModule(apps, {
  name: 'maintenance',
  help: 'Maintenance mode, controlled through the admin API.',
  config: options({ on: boolean('Turn maintenance mode on at startup.', { default: false }) }),
  provision({ on }, context): MaintenanceApp {
    const cell = context.use(sharedCellsToken).acquire('maintenance');
    context.onDispose(() => cell.release());
    const app = new Maintenance(cell);
    // Use a shared cell, because the admin API runs in the control thread and requests run in workers.
    if (context.roles.control && context.previous === null) context.onCommit(() => app.set(on === true));
    return app;
  },
});

/** `{"handler": "maintenance"}` */
const maintenanceHandler = defineModule(httpHandlers, {
  name: 'maintenance',
  help: 'Rejects requests with status 503 while maintenance mode is on.',
  config: options({}),
  async provision(_config, context): Promise<HttpHandler> {
    const app = await context.app(maintenanceApp);
    return {
      handle(exchange, next) {
        if (app.isOn()) throw new HttpError(503, 'maintenance mode is on');
        return next(exchange);
      },
    };
  },
});

/** Registers the app, its handler, its admin API routes and its command. */
export function registerMaintenance(registry: Registry): void {
  registry.add(maintenanceModule);
  registry.add(maintenanceHandler);
  registry.hooks.adminRoutes.tap('maintenance', (routes) => addMaintenanceRoutes(routes, maintenanceApp));
  registry.hooks.commands.tap('maintenance', addMaintenanceCommand);
}
