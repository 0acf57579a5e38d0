/** A program whose handlers throw where nothing catches it. */
import { readFileSync } from 'node:fs';
import { ownedByProcess } from '@tributary/client/http';
import { listen } from '../src/http/listener/listener.ts';
import { serveExchanges } from '../src/http/listener/serve-exchanges.ts';
import { MetricsRegistry } from '../src/operations/metrics/registry.ts';
import { catchUncaughtErrors } from '../src/operations/uncaught-errors.ts';
import type { ApiRequest } from '../src/request/pipeline.ts';
import { textResponse } from '../src/request/respond.ts';

const [certFile = '', keyFile = ''] = process.argv.slice(2);
const { counter } = catchUncaughtErrors('uncaught');
const registry = new MetricsRegistry();
registry.add(counter);

function fail(where: string): never {
  throw new Error(`thrown in ${where}\nwith a second line`);
}

const FAULTS: Readonly<Record<string, (request: ApiRequest) => void>> = {
  '/timer': () => void setTimeout(() => fail('a timer'), 1),
  '/immediate': () => void setImmediate(() => fail('an immediate')),
  '/tick': () => process.nextTick(() => fail('a tick')),
  '/promise': () => void Promise.reject(new Error('rejected')),
  '/body': ({ bodyStream }) => void bodyStream?.().on('data', () => fail('a data event')),
  '/end': ({ bodyStream }) =>
    void bodyStream?.()
      .on('end', () => fail('an end event'))
      .resume(),
  '/process': () => ownedByProcess(() => void setImmediate(() => fail('the process'))),
};

const listener = await listen({
  address: '127.0.0.1',
  port: 0,
  certificate: readFileSync(certFile, 'utf8'),
  privateKey: readFileSync(keyFile, 'utf8'),
  serve: serveExchanges({
    handler: (request) => {
      if (request.path === '/metrics') return textResponse(200, registry.text());
      const fault = FAULTS[request.path];
      if (fault === undefined) return textResponse(200, 'fine');
      fault(request);
      return new Promise(() => {});
    },
    bodyBytesMax: 1024,
    reportBug: () => {},
  }),
});
process.stdout.write(`uncaught is ready at https://127.0.0.1:${listener.port}\n`);
