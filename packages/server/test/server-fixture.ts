import { openMemoryStorage, type Storage } from '@tributary/storage';
import Type from 'typebox';
import {
  createPki,
  httpsRequest,
  httpsStream,
  type Pki,
  type RequestOptions,
  type Response,
  type StreamResponse,
} from '../../../test/harness/index.ts';
import {
  createServer,
  defineApi,
  defineResource,
  type RunningServer,
  type ServerConfig,
  version,
} from '../src/index.ts';

export const Forecast = defineResource({
  kind: 'Forecast',
  plural: 'forecasts',
  scope: 'Namespaced',
  shortNames: ['fc'],
  versions: {
    v1: version({
      description: 'The weather to come',
      spec: Type.Object({
        city: Type.String({ minLength: 1 }),
        days: Type.Optional(Type.Integer({ minimum: 1, maximum: 14 })),
      }),
    }),
  },
});

export const weather = defineApi({ group: 'weather.example.com', resources: [Forecast] });

export interface Fixture extends AsyncDisposable {
  readonly server: RunningServer;
  readonly storage: Storage;
  readonly pki: Pki;
  /** As the administrator, unless `options` say otherwise. */
  request(path: string, options?: RequestOptions): Promise<Response>;
  stream(path: string, options?: RequestOptions): Promise<StreamResponse>;
}

export const forecasts = '/apis/weather.example.com/v1/namespaces/eu/forecasts';

export function forecast(name: string, more: object = {}): object {
  return { metadata: { name }, spec: { city: 'Ghent' }, ...more };
}

export async function startFixture(more: Partial<ServerConfig> = {}): Promise<Fixture> {
  const pki = await createPki();
  const storage = openMemoryStorage();
  const server = await createServer(weather, {
    storage,
    serving: pki.server,
    clientCa: pki.ca.cert,
    ...more,
  }).listen();
  const { cert, key } = pki.admin;
  const options = (more: RequestOptions = {}) => ({ ca: pki.ca.cert, cert, key, ...more });
  return {
    server,
    storage,
    pki,
    request: (path, more) => httpsRequest(server.url + path, options(more)),
    stream: (path, more) => httpsStream(server.url + path, options(more)),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await storage.close();
    },
  };
}
