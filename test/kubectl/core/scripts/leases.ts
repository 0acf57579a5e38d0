import { manifest, type Script } from '../script.ts';

const spec = {
  holderIdentity: 'me',
  leaseDurationSeconds: 15,
  acquireTime: '2020-01-02T03:04:05.000000Z',
  renewTime: '2020-01-02T03:04:05.000000Z',
  leaseTransitions: 2,
};

export const leases: Script = {
  name: 'leases',
  steps: [
    { run: 'create -f -', input: manifest('Lease', { spec }) },
    { run: 'create -f -', input: manifest('Lease', {}, 'empty') },
    {
      run: 'create -f -',
      input: manifest('Lease', { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }, 'bad'),
    },
    { run: 'get leases' },
    { run: 'get lease one -o wide' },
    { run: 'get lease one -o yaml' },
    { run: 'describe lease one' },
    { run: ['patch', 'lease', 'one', '-p', '{"spec":{"holderIdentity":"you"}}'] },
    { run: 'get lease one -o jsonpath={.spec.holderIdentity}' },
    { run: 'delete leases --all' },
  ],
};
