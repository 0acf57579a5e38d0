/** Helm commands on the charts of this folder, step by step. */
import { eventually, type KubectlRun } from '../../test/harness/index.ts';
import type { Desk } from './helm.ts';
import { normaliseObjects, normaliseText } from './normalise.ts';

export interface Step {
  readonly name: string;
  /** The exit code that both must give. */
  readonly code: number;
  run(desk: Desk): Promise<KubectlRun>;
}

/** The output and the objects of a step, without the parts that always differ. */
export interface StepResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const GARDEN = ['-n', 'garden'] as const;
const LANTERN = ['lantern', './small', ...GARDEN] as const;
const KINDS = [
  'namespaces',
  'configmaps',
  'secrets',
  'services',
  'serviceaccounts',
  'deployments.apps',
  'networkpolicies.networking.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'leases.coordination.k8s.io',
  'flunders.v1alpha1.wardle.example.com',
].join();
const PLACES = {
  namespaces: ['garden', 'plain', 'office', 'keeper-work'],
  names: ['garden', 'plain', 'office', 'keeper-work', 'keeper', 'keeper-view'],
};
const NURSERY = ['sprout', './nursery', '-n', 'nursery'] as const;
const NURSERY_KINDS = [
  'beds.nursery.example.com',
  'gardeners.nursery.example.com',
  'deployments.apps',
  'services',
  'configmaps',
  'roles.rbac.authorization.k8s.io',
].join();
const NURSERY_PLACES = { namespaces: ['nursery'], names: ['sprout'] };

const kubectl = (name: string, args: readonly string[], code = 0): Step => ({
  name,
  code,
  run: async (desk) => {
    const run = await desk.kubectl(args);
    return { ...run, stdout: run.stdout.replaceAll(AGE, '{age}') };
  },
});
/** The last column of a Table. */
const AGE = /\d+[smh](\d+s)?$/gm;

const helm = (name: string, args: readonly string[], code = 0): Step => ({
  name,
  code,
  run: (desk) => desk.helm(args),
});

/** Every object that the charts have made so far. */
const objects = (name: string, kinds = KINDS, places = PLACES): Step => ({
  name: `objects ${name}`,
  code: 0,
  run: async (desk) => {
    const run = await desk.kubectl(['get', kinds, '-A', '-o', 'json']);
    if (run.code !== 0) return run;
    return { ...run, stdout: JSON.stringify(normaliseObjects(run.stdout, places), undefined, 1) };
  },
});

export const steps: readonly Step[] = [
  helm('install: values that the schema refuses', ['install', ...LANTERN, '--set=replicas=-1'], 1),
  helm('install: a namespace that is not there', ['install', ...LANTERN], 1),
  helm('install: on the server, without a trace', [
    ...['install', ...LANTERN, '--create-namespace', '--dry-run=server'],
  ]),
  helm('install', ['install', ...LANTERN, '--create-namespace', '--wait', '--timeout=60s']),
  helm('install: the name is taken', ['install', ...LANTERN], 1),
  helm('get manifest', ['get', 'manifest', 'lantern', ...GARDEN]),
  helm('get hooks', ['get', 'hooks', 'lantern', ...GARDEN]),
  helm('list', ['list', '-A', '-o', 'json']),
  objects('after install'),
  helm('upgrade: other values', [
    ...['upgrade', ...LANTERN, '--set=colour=green,replicas=3,fenced=false'],
    ...['--set=extra.note=second', '--wait', '--timeout=60s'],
  ]),
  helm('get manifest after upgrade', ['get', 'manifest', 'lantern', ...GARDEN]),
  helm('get values after upgrade', ['get', 'values', 'lantern', ...GARDEN, '-o', 'json']),
  objects('after upgrade'),
  helm(
    'upgrade: refused by the server, rolled back',
    ['upgrade', ...LANTERN, '--reuse-values', '--set=service.port=70000,colour=red', '--atomic'],
    1,
  ),
  helm(
    'upgrade: not ready in time, rolled back',
    [
      ...['upgrade', ...LANTERN, '--reuse-values', '--set=service.type=LoadBalancer'],
      ...['--atomic', '--timeout=5s'],
    ],
    1,
  ),
  helm('history after failures', ['history', 'lantern', ...GARDEN, '-o', 'json']),
  objects('after failures'),
  {
    name: 'upgrade: waits until a controller has done its work',
    code: 0,
    run: standInForBalancer,
  },
  helm('status', ['status', 'lantern', ...GARDEN, '-o', 'json']),
  helm('test', ['test', 'lantern', ...GARDEN, '--timeout=60s']),
  helm('rollback', ['rollback', 'lantern', '1', ...GARDEN, '--wait', '--timeout=60s']),
  objects('after rollback'),
  helm('history', ['history', 'lantern', ...GARDEN, '-o', 'json']),
  helm('install: with rights and a namespace of its own', [
    ...['install', 'keeper', './operator', '-n', 'office', '--create-namespace', '--wait'],
  ]),
  helm('upgrade: fewer flunders, more rights', [
    ...['upgrade', 'keeper', './operator', '-n', 'office'],
    ...['--set=flunders={north},verbs={get\\,list}', '--force'],
  ]),
  helm('get manifest of the second', ['get', 'manifest', 'keeper', '-n', 'office']),
  objects('of both'),
  helm('list of both', ['list', '-A', '-o', 'json']),
  { name: 'template, applied by the server', code: 0, run: applyTemplate },
  { name: 'template, applied again', code: 0, run: applyTemplate },
  objects('after apply'),
  helm('uninstall', ['uninstall', 'lantern', ...GARDEN, '--wait', '--timeout=60s']),
  helm('uninstall: keeps its history', ['uninstall', 'keeper', '-n', 'office', '--keep-history']),
  helm('list of what is left', ['list', '-A', '--all', '-o', 'json']),
  helm('uninstall: not there', ['uninstall', 'lantern', ...GARDEN], 1),
  objects('left'),
  helm('install: an operator and its kinds', [
    ...['install', ...NURSERY, '--create-namespace', '--wait', '--timeout=60s'],
  ]),
  kubectl('definitions of the operator', [
    ...['get', 'crds', '-o', 'custom-columns=NAME:.metadata.name,STORED:.status.storedVersions'],
  ]),
  kubectl('get all', ['get', 'all', '-n', 'nursery']),
  kubectl('get by a short name, wide', ['get', 'bd', '-n', 'nursery', '-o', 'wide']),
  kubectl('get in an old version', ['get', 'beds.v1beta1.nursery.example.com', '-n', 'nursery']),
  objects('of the operator', NURSERY_KINDS, NURSERY_PLACES),
  helm('upgrade: a rule of the operator refuses', ['upgrade', ...NURSERY, '--set=size=1'], 1),
  helm('upgrade: fewer beds', ['upgrade', ...NURSERY, '--set=beds={tulips},size=4']),
  kubectl('scale', ['scale', 'bed', 'tulips', '-n', 'nursery', '--replicas=9']),
  objects('of the operator after its upgrade', NURSERY_KINDS, NURSERY_PLACES),
  helm('uninstall: an operator', ['uninstall', 'sprout', '-n', 'nursery', '--wait']),
  kubectl('get all, of nothing', ['get', 'all', '-n', 'nursery']),
  kubectl('its kinds are still there', ['api-resources', '--api-group=nursery.example.com']),
  kubectl('delete its kinds', [
    ...['delete', 'crd', 'beds.nursery.example.com', 'gardeners.nursery.example.com'],
  ]),
  kubectl('its kinds are gone', ['get', 'beds.nursery.example.com', '-n', 'nursery'], 1),
];

export async function runSteps(desk: Desk): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const { run } of steps) {
    const { code, stdout, stderr } = await run(desk);
    results.push({ code, stdout: normaliseText(stdout), stderr: normaliseText(stderr) });
  }
  return results;
}

const SERVICE = ['service', 'lantern', ...GARDEN] as const;
const INGRESS = JSON.stringify({ status: { loadBalancer: { ingress: [{ ip: '192.0.2.10' }] } } });
const WAITING = { withinMs: 60_000, everyMs: 100 };
/** How often Helm looks at the service, every two seconds, while nothing changes. */
const LOOKS = 2;

/** No load balancer runs here: the test assigns the address, and Helm must have waited for it. */
async function standInForBalancer(desk: Desk): Promise<KubectlRun> {
  let isOver = false;
  const upgrading = desk
    .helm([
      ...['upgrade', ...LANTERN, '--set=service.type=LoadBalancer', '--wait', '--timeout=60s'],
    ])
    .finally(() => {
      isOver = true;
    });
  const type = async () =>
    (await desk.kubectl(['get', ...SERVICE, '-o', 'jsonpath={.spec.type}'])).stdout;
  const isThere = async () => isOver || (await type()) === 'LoadBalancer';
  await eventually('the service wants a load balancer', isThere, WAITING);
  const before = await readsOfServices(desk);
  const isWaiting = async () => isOver || (await readsOfServices(desk)) >= before + LOOKS;
  await eventually('Helm looks at the service again', isWaiting, WAITING);
  if (isOver) {
    const early = await upgrading;
    return { ...early, code: early.code || 1, stderr: `${early.stderr}it did not wait` };
  }
  const patch = ['patch', ...SERVICE, '--subresource=status', '--type=merge', '-p', INGRESS];
  const patched = await desk.kubectl(patch);
  const upgraded = await upgrading;
  return patched.code === 0 ? upgraded : patched;
}

/** By all clients, as counted by the server. */
async function readsOfServices(desk: Desk): Promise<number> {
  const { stdout } = await desk.kubectl(['get', '--raw', '/metrics']);
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('apiserver_request_total{'))
    .filter((line) => line.includes('resource="services"') && line.includes('verb="GET"'));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

/** Applies the rendered chart without a release. */
async function applyTemplate(desk: Desk): Promise<KubectlRun> {
  const place = ['-n', 'plain'];
  const { code, stdout, stderr } = await desk.helm([
    ...['template', 'candle', './small', ...place, '--no-hooks', '--set=colour=white'],
  ]);
  if (code !== 0) return { code, stdout, stderr };
  await desk.kubectl(['create', 'namespace', 'plain']);
  return desk.kubectl(['apply', '--server-side', ...place, '-f', '-'], stdout);
}
