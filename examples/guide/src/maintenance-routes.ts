/** Admin API routes `GET /maintenance` and `PUT /maintenance`. */
import { isObject, SluiceError, type AdminRoutes, type AppToken, type Json } from '@sluice/module';

/** Subset of the `maintenance` app that the routes use. */
interface Switch {
  isOn(): boolean;
  set(on: boolean): void;
}

export function addMaintenanceRoutes({ router, raw, server }: AdminRoutes, token: AppToken<Switch>): void {
  const findApp = (): Switch => {
    const app = server.app(token);
    if (app === null) throw new SluiceError('ERR_NO_APP', 'the app maintenance is not configured', { status: 404 });
    return app;
  };
  router.get('/maintenance', (_request, response) => response.json({ on: findApp().isOn() }));
  router.put('/maintenance', raw, (request, response) => {
    const app = findApp();
    app.set(readSwitch(String(request.body)));
    response.json({ on: app.isOn() });
  });
}

function readSwitch(text: string): boolean {
  const body = text === '' ? null : (JSON.parse(text) as Json);
  if (isObject(body) && typeof body['on'] === 'boolean') return body['on'];
  throw new SluiceError('ERR_MAINTENANCE', 'the body is {"on": true} or {"on": false}', { status: 400 });
}
