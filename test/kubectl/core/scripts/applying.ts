import { manifest, type Script } from '../script.ts';

const first = manifest('ConfigMap', { data: { a: '1', b: '2' } });
const second = manifest('ConfigMap', { data: { a: '1', c: '3' } });
const everything = [
  manifest('ConfigMap', { data: { a: '1' }, metadata: { labels: { set: 'all' } } }, 'm'),
  manifest('Secret', { stringData: { a: '1' }, metadata: { labels: { set: 'all' } } }, 'm'),
  manifest(
    'Service',
    { spec: { ports: [{ port: 80 }] }, metadata: { labels: { set: 'all' } } },
    'm',
  ),
  manifest('ServiceAccount', { metadata: { labels: { set: 'all' } } }, 'm'),
  manifest('Role', { rules: [], metadata: { labels: { set: 'all' } } }, 'm'),
];
const LISTED = 'configmap,secret,service,serviceaccount,role';

/** `apply` of both kinds, `diff`, and streams of many objects. */
export const applying: Script = {
  name: 'applying',
  steps: [
    { run: 'diff -f -', input: first },
    { run: 'apply -f -', input: first },
    { run: 'apply -f -', input: first },
    { run: 'apply -f - --dry-run=server', input: second },
    { run: 'apply -f -', input: second },
    { run: 'get cm one -o jsonpath={.data}' },
    { run: 'apply view-last-applied cm one' },
    { run: 'diff -f -', input: second, inNextSecond: true },
    { run: 'diff -f -', input: first, inNextSecond: true },
    { run: 'diff -f - --server-side', input: first, since: '1.28' },
    { run: 'apply -f - --server-side', input: first },
    {
      run: 'apply -f - --server-side --field-manager=other',
      input: manifest('ConfigMap', { data: { a: '9' } }),
    },
    {
      run: 'apply -f - --server-side --field-manager=other --force-conflicts',
      input: manifest('ConfigMap', { data: { a: '9' } }),
    },
    { run: 'get cm one -o jsonpath={.data}' },
    { run: 'apply -f - --server-side', input: manifest('ConfigMap', { data: { a: 1 } }, 'bad') },
    { run: 'create -f -', input: everything },
    { run: 'create -f -', input: everything },
    { run: 'apply -f -', input: everything },
    { run: `get ${LISTED} -l set=all` },
    { run: `get ${LISTED} -l set=all -o name` },
    { run: `get -f - -o name`, input: everything },
    {
      // By default it asks for kinds that a core has not.
      run: 'apply -f - --prune -l set=all --prune-allowlist=core/v1/ConfigMap --prune-allowlist=core/v1/Service',
      since: '1.26',
      input: everything.slice(0, 2),
    },
    { run: `get ${LISTED} -l set=all -o name` },
    { run: 'replace --force -f -', input: first },
    { run: 'label -f - x=y', input: first },
    { run: 'delete -f -', input: everything.slice(0, 1) },
    { run: `delete ${LISTED} -l set=all` },
    { run: 'delete -f -', input: everything },
    { run: 'delete all --all' },
    { run: 'wait cm/none --for=delete --timeout=2s' },
  ],
};
