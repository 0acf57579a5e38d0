/** Faults on the way to a server: of its registration, its Service and the network. */

import { broken, type Fault, registration } from './doctor-fault.ts';
import { put, SERVICES, SLICES } from './doctor-kit.ts';
import { must, NAMESPACE } from './gateway-program.ts';
import { endpointSlice, GROUP, service } from './registration-objects.ts';

export const routeFaults: readonly Fault[] = [
  {
    name: 'another version of the group is registered, this one is not',
    hop: 'apiservice',
    seen: /there is no APIService "v1alpha1\.wardle\.example\.com"/,
    isCommand: true,
    inject: async (kit) => {
      const { spec } = registration(kit, { version: 'v1beta1' });
      const metadata = { name: `v1beta1.${GROUP}` };
      await kit.register({ port: kit.wardle.port, apiService: { metadata, spec } });
      return {};
    },
  },
  {
    name: 'a caBundle that is no PEM',
    hop: 'registration',
    seen: /unable to parse bytes as PEM block/,
    inject: async (kit) => {
      const caBundle = Buffer.from('no certificate').toString('base64');
      await kit.register({ port: kit.wardle.port, apiService: registration(kit, { caBundle }) });
      return { blanks: { CA_BUNDLE: Buffer.from(kit.authority.cert).toString('base64') } };
    },
  },
  {
    name: 'a service that is called otherwise',
    hop: 'service',
    seen: /there is no Service wardle\/apy/,
    inject: async (kit) => {
      const spec = { service: { namespace: NAMESPACE, name: 'apy' } };
      await kit.register({ port: kit.wardle.port, apiService: registration(kit, spec) });
      return {};
    },
  },
  {
    name: 'a service that was deleted, and its endpoints were not',
    hop: 'service',
    seen: /there is no Service wardle\/api/,
    inject: async (kit) => {
      await kit.register({ port: kit.wardle.port });
      await must(kit.gateway.send('DELETE', `${SERVICES}/api`));
      await must(put(kit.gateway, SLICES, endpointSlice({ port: kit.wardle.port })));
      return {};
    },
  },
  {
    name: 'a service with another port',
    hop: 'service',
    seen: /not listening on port 443, only on 8443/,
    inject: async (kit) => {
      await kit.register({ port: kit.wardle.port, service: service('api', 8443) });
      return {};
    },
  },
  {
    name: 'no endpoints',
    hop: 'endpoints',
    seen: /cannot find endpointslices.*no selector/,
    inject: async (kit) => {
      await kit.register({ port: kit.wardle.port, slice: undefined });
      return { blanks: { ADDRESS: '127.0.0.1', PORT: String(kit.wardle.port) } };
    },
  },
  {
    name: 'endpoints whose port has another name',
    hop: 'endpoints',
    seen: /port name "" \(their port names are "https"\)/,
    isCommand: true,
    inject: async (kit) => {
      const { port } = kit.wardle;
      const slice = {
        ...endpointSlice({ port }),
        ports: [{ name: 'https', port, protocol: 'TCP' }],
      };
      await kit.register({ port, slice });
      return {};
    },
  },
  {
    name: 'endpoints that are not ready',
    hop: 'endpoints',
    seen: /1 of them not ready/,
    inject: async (kit) => {
      const { port } = kit.wardle;
      await kit.register({ port, slice: endpointSlice({ port, ready: false }) });
      return { server: async () => undefined };
    },
  },
  {
    name: 'an ExternalName that DNS does not know',
    hop: 'dns',
    seen: /DNS has no address for no-such-host\.invalid/,
    inject: async (kit) => {
      const { port } = kit.wardle;
      await kit.register({
        port,
        service: {
          metadata: { name: 'api', namespace: NAMESPACE },
          spec: { type: 'ExternalName', externalName: 'no-such-host.invalid' },
        },
        apiService: registration(kit, { service: { namespace: NAMESPACE, name: 'api', port } }),
      });
      return { blanks: { HOST: 'localhost' } };
    },
  },
  {
    name: 'a URL that DNS does not know',
    hop: 'dns',
    seen: /DNS has no address for no-such-host\.invalid/,
    inject: async (kit) => {
      const { port } = kit.wardle;
      const annotations = { 'aggregation.tributary.dev/url': 'https://no-such-host.invalid:443' };
      await kit.register({ port, apiService: registration(kit, {}, { annotations }) });
      return { blanks: { URL: `https://127.0.0.1:${port}` } };
    },
  },
  {
    name: 'a server that does not run',
    hop: 'tcp',
    seen: /refuses connections: no program listens there/,
    isCommand: true,
    inject: async (kit) => {
      await kit.register({ port: kit.backend.port });
      await kit.backend.stop();
      return { server: () => kit.backend.restart() };
    },
  },
  {
    name: 'a listener that says nothing',
    hop: 'tls',
    seen: /accepts connections and then sends nothing/,
    inject: (kit) => broken(kit, 'silent'),
  },
  {
    name: 'a process that is frozen',
    hop: 'tls',
    seen: /accepts connections and then sends nothing/,
    inject: async (kit) => {
      await kit.register({ port: kit.wardle.port });
      kit.wardle.process.kill('SIGSTOP');
      return { server: async () => kit.wardle.process.kill('SIGCONT') };
    },
  },
  {
    name: 'a server without TLS',
    hop: 'tls',
    seen: /does not speak TLS/,
    inject: (kit) => broken(kit, 'plain'),
  },
];
