import { manifest, type Script } from '../script.ts';

export const serviceAccounts: Script = {
  name: 'serviceaccounts',
  steps: [
    { run: 'create serviceaccount robot' },
    { run: 'create sa robot' },
    { run: 'create sa Bad_Name' },
    { run: 'get serviceaccounts robot' },
    { run: 'get sa robot -o wide' },
    { run: 'get sa robot -o yaml' },
    { run: 'get sa -o name', keep: /robot|one/ },
    { run: 'describe sa robot' },
    {
      run: 'apply -f -',
      input: manifest('ServiceAccount', {
        imagePullSecrets: [{ name: 'a' }],
        automountServiceAccountToken: false,
        secrets: [{ name: 's1' }, { name: 's2' }],
      }),
    },
    { run: 'get sa one' },
    { run: 'get sa one -o yaml' },
    { run: 'describe sa one' },
    { run: 'create token robot', since: '1.24' },
    { run: 'create token robot --duration=20m --audience=a --audience=b', since: '1.24' },
    { run: 'create token robot --duration=1m', since: '1.24' },
    { run: 'create token none', since: '1.24' },
    { run: 'create token robot --bound-object-kind=Pod --bound-object-name=x', since: '1.24' },
    { run: 'create token robot --bound-object-kind=Secret --bound-object-name=x', since: '1.24' },
    { run: 'create secret generic bind --from-literal=a=b' },
    {
      run: 'create token robot --bound-object-kind=Secret --bound-object-name=bind',
      since: '1.24',
    },
    {
      run: 'create token robot --bound-object-kind=Secret --bound-object-name=bind --bound-object-uid=x',
      since: '1.24',
    },
    { run: 'delete sa robot' },
    { run: 'delete sa one' },
  ],
};
