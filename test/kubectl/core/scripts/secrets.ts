import { manifest, type Script } from '../script.ts';
import { CERTIFICATE, KEY } from './tls-pair.ts';

export const secrets: Script = {
  name: 'secrets',
  files: { 'tls.crt': CERTIFICATE, 'tls.key': KEY, password: 'hunter2' },
  steps: [
    { run: 'create secret generic plain --from-literal=user=me --from-file=password' },
    { run: 'create secret generic typed --type=example.com/x --from-literal=a=b' },
    { run: 'create secret tls pair --cert=tls.crt --key=tls.key' },
    {
      run: 'create secret docker-registry registry --docker-server=https://r.example.com --docker-username=u --docker-password=p --docker-email=e@example.com',
    },
    { run: 'create secret generic basic --type=kubernetes.io/basic-auth --from-literal=x=y' },
    { run: 'create secret generic ssh --type=kubernetes.io/ssh-auth --from-literal=x=y' },
    {
      run: 'create secret generic ssh --type=kubernetes.io/ssh-auth --from-literal=ssh-privatekey=k',
    },
    { run: 'create secret generic wrong --type=kubernetes.io/tls --from-literal=x=y' },
    {
      run: 'create secret generic token --type=kubernetes.io/service-account-token --from-literal=x=y',
    },
    { run: 'create secret generic plain' },
    { run: 'get secrets' },
    { run: 'get secrets -o wide' },
    { run: 'get secret plain -o yaml' },
    { run: 'get secret registry -o yaml' },
    { run: 'get secret pair -o jsonpath={.type}' },
    { run: 'get secrets --field-selector type=Opaque' },
    { run: 'get secrets --field-selector type!=Opaque -o name' },
    { run: 'get secrets --field-selector data=x' },
    { run: 'describe secret plain', anyOrder: true },
    { run: 'describe secret pair', anyOrder: true },
    {
      run: 'apply -f -',
      input: manifest('Secret', { stringData: { a: 'text' }, data: { b: 'YnVtcA==' } }),
    },
    { run: 'get secret one -o jsonpath={.data}{.stringData}{.type}' },
    { run: 'create -f -', input: manifest('Secret', { data: { b: '!' } }, 'bad') },
    { run: ['patch', 'secret', 'plain', '-p', '{"stringData":{"user":"you"}}'] },
    { run: ['patch', 'secret', 'plain', '-p', '{"type":"other"}'] },
    { run: ['patch', 'secret', 'plain', '-p', '{"immutable":true}'] },
    { run: ['patch', 'secret', 'plain', '-p', '{"stringData":{"user":"me"}}'] },
    { run: ['get', 'secret', 'plain', '-o', 'go-template={{.data.user | base64decode}}'] },
    { run: 'delete secret plain' },
    { run: 'delete secrets --all' },
    { run: 'get secrets' },
  ],
};
