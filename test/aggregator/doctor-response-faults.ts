/** Faults of what a server answers. */
import { broken, type Fault, registration } from './doctor-fault.ts';
import type { Kit } from './doctor-kit.ts';
import { GROUP } from './registration-objects.ts';

const wardlePort = ({ wardle }: Kit) => ({ blanks: { PORT: String(wardle.port) } });

export const responseFaults: readonly Fault[] = [
  {
    name: 'a version that the server does not serve',
    hop: 'discovery',
    seen: /does not serve wardle\.example\.com\/v1 \(404\), only /,
    examined: `v1.${GROUP}`,
    changesName: true,
    inject: async (kit) => {
      const { spec } = registration(kit, { version: 'v1' });
      const metadata = { name: `v1.${GROUP}` };
      await kit.register({ port: kit.wardle.port, apiService: { metadata, spec } });
      return {};
    },
  },
  {
    name: 'another server with a certificate that fits',
    hop: 'discovery',
    seen: /does not serve wardle\.example\.com \(404\)/,
    inject: async (kit) => ({ ...(await broken(kit, 'stranger')), ...wardlePort(kit) }),
  },
  {
    name: 'a server that redirects',
    hop: 'discovery',
    seen: /is redirected to \/login \(302\)/,
    inject: async (kit) => ({ ...(await broken(kit, 'redirect')), ...wardlePort(kit) }),
  },
  {
    name: 'a server that answers with a page',
    hop: 'discovery',
    seen: /text\/html that is not JSON/,
    inject: async (kit) => ({ ...(await broken(kit, 'html')), ...wardlePort(kit) }),
  },
  {
    name: 'a server that speaks TLS and answers nothing',
    hop: 'discovery',
    seen: /no response to GET \/apis\/wardle\.example\.com\/v1alpha1/,
    inject: (kit) => broken(kit, 'mute'),
  },
  {
    name: 'a server without documents',
    hop: 'openapi',
    seen: /\/openapi\/v3 is not JSON/,
    inject: (kit) => broken(kit, 'no-openapi'),
  },
];
