import { manifest, type Script } from '../script.ts';

const subsets = [
  {
    addresses: [{ ip: '192.0.2.1' }, { ip: '192.0.2.2', hostname: 'b' }],
    notReadyAddresses: [{ ip: '192.0.2.9' }],
    ports: [
      { port: 80, name: 'http' },
      { port: 443, name: 'https' },
    ],
  },
];
const slice = {
  addressType: 'IPv4',
  endpoints: [
    { addresses: ['192.0.2.1'], conditions: { ready: true } },
    { addresses: ['192.0.2.2'], conditions: { ready: false }, hostname: 'b' },
  ],
  ports: [{ port: 80, name: 'http', protocol: 'TCP' }],
  metadata: { labels: { 'kubernetes.io/service-name': 'svc' } },
};

export const endpoints: Script = {
  name: 'endpoints',
  steps: [
    { run: 'create -f -', input: manifest('Endpoints', { subsets }) },
    { run: 'create -f -', input: manifest('Endpoints', {}, 'empty') },
    {
      run: 'create -f -',
      input: manifest('Endpoints', { subsets: [{ addresses: [{ ip: '127.0.0.1' }] }] }, 'bad'),
    },
    { run: 'get endpoints' },
    { run: 'get ep one -o wide' },
    { run: 'get ep one -o yaml' },
    { run: 'describe ep one' },
    { run: 'create -f -', input: manifest('EndpointSlice', slice) },
    { run: 'create -f -', input: manifest('EndpointSlice', { addressType: 'X' }, 'bad') },
    {
      run: 'create -f -',
      input: manifest('EndpointSlice', { addressType: 'IPv6', endpoints: [] }, 'empty'),
    },
    { run: 'get endpointslices' },
    { run: 'get endpointslice one -o wide' },
    { run: 'get endpointslice one -o yaml' },
    { run: 'get endpointslices -l kubernetes.io/service-name=svc -o name' },
    { run: 'describe endpointslice one' },
    { run: ['patch', 'endpointslice', 'one', '-p', '{"addressType":"IPv6"}'] },
    { run: 'delete endpointslices --all' },
    { run: 'delete ep one empty' },
  ],
};
