/** The documents of all servers together. */
import type { RequestStep, Row, RowGroup, Until } from '../../differential/row.ts';
import { deleted, named, registered, unreachable } from './words.ts';

const WARDLE = 'wardle.example.com';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const BETA = AGGREGATED.replace('v=v2', 'v=v2beta1');

/** Groups that both servers have: one of their own, that of registrations, and those that rows register. */
const groups = ['apiregistration.k8s.io', 'authentication.k8s.io', WARDLE];
const resources = ['apiservices', 'tokenreviews', 'flunders', 'fischers'];

type More = Partial<Omit<RequestStep, 'name' | 'path'>>;

function step(name: string, path: string, more: More = {}): RequestStep {
  return { name, path, view: { groups, resources }, ...more };
}

function read(name: string, path: string, more: More = {}): Row {
  return row(name, [step('read', path, more)]);
}

function row(name: string, steps: Row['steps']): Row {
  return { name: `discovery: ${name}`, covers: { feature: 'discovery' }, steps };
}

/** Both documents, of these groups only. The original makes the aggregated one later than the other, in two threads. */
function documents(name: string, only: readonly string[], until?: Until): RequestStep[] {
  const view = { groups: only, resources };
  const aggregated = { view, headers: { accept: AGGREGATED }, ...(until && { until }) };
  return [
    step(`${name}, groups`, '/apis', { view }),
    step(`${name}, aggregated`, '/apis', aggregated),
  ];
}

/** The entry of the aggregated document for a group whose server was never available. */
function stale(group: string, ...versions: readonly string[]): string[] {
  const items = versions.map((version) => `{"version":"${version}","freshness":"Stale"}`);
  return [`"name":"${group}"`, `"versions":[${items.join(',')}]`];
}

const dead = 'dead.example.com';
const low = 'low.example.com';
const high = 'high.example.com';
const early = 'aaa.example.com';
const late = 'zzz.example.com';
const nobody = 'nobody.example.com';

export const discovery: RowGroup = {
  name: 'discovery',
  rows: [
    read('groups', '/apis'),
    read('groups, with a slash', '/apis/'),
    read('groups in YAML', `/apis/${WARDLE}`, { headers: { accept: 'application/yaml' } }),
    read('groups, indented', `/apis/${WARDLE}`, { query: { pretty: 'true' } }),
    read('aggregated', '/apis', { headers: { accept: AGGREGATED } }),
    read('aggregated, without peers', '/apis', {
      headers: { accept: `${AGGREGATED};profile=nopeer` },
    }),
    read('aggregated or not', '/apis', { headers: { accept: `application/json,${AGGREGATED}` } }),
    read('aggregated, in the beta only', '/apis', { headers: { accept: BETA } }),
    read('aggregated in the beta, or not', '/apis', {
      headers: { accept: `${BETA},application/json` },
    }),
    row('a tag is known again', [
      step('first', '/apis', { headers: { accept: AGGREGATED } }),
      step('again', '/apis', { headers: { accept: AGGREGATED, 'if-none-match': '{etag:first}' } }),
      step('weak', '/apis', { headers: { accept: AGGREGATED, 'if-none-match': 'W/{etag:first}' } }),
    ]),
    read('the group of another server', `/apis/${WARDLE}`),
    read('the group of another server, with a slash', `/apis/${WARDLE}/`),
    read('a version of another server', `/apis/${WARDLE}/v1alpha1`),
    read('another version of another server', `/apis/${WARDLE}/v1beta1`),
    read('a version that nobody registered', `/apis/${WARDLE}/v9`, { setup: true }),
    read('a group that nobody registered', '/apis/none.example.com', { setup: true }),
    row('a server that was never there', [
      registered(unreachable(dead, 'v1')),
      { name: 'it is listed', path: `/apis/${dead}`, until: 200 },
      { name: 'it does not answer', path: `/apis/${dead}/v1`, setup: true },
      ...documents('then', [dead], { has: stale(dead, 'v1') }),
      deleted(named(dead, 'v1')),
      { name: 'it is gone', path: `/apis/${dead}`, until: 404, setup: true },
      ...documents('in the end', [dead], { lacks: [`"name":"${dead}"`] }),
    ]),
    row('the order of groups and versions', [
      registered(unreachable(low, 'v1', [500, 10])),
      registered(unreachable(low, 'v2alpha1', [500, 20])),
      registered(unreachable(low, 'v2', [500, 10])),
      registered(unreachable(low, 'v1beta1', [3000, 10])),
      registered(unreachable(high, 'v1', [20000, 10])),
      registered(unreachable(early, 'v1beta1')),
      registered(unreachable(late, 'v1')),
      { name: 'the last one is listed', path: `/apis/${late}`, until: 200, setup: true },
      { name: 'the group', path: `/apis/${low}` },
      ...documents('then', [...groups, low, high, early, late], {
        has: [
          ...stale(low, 'v2alpha1', 'v2', 'v1', 'v1beta1'),
          ...stale(high, 'v1'),
          ...stale(early, 'v1beta1'),
          ...stale(late, 'v1'),
        ],
      }),
      ...['v1', 'v2alpha1', 'v2', 'v1beta1'].map((version) => deleted(named(low, version))),
      deleted(named(high, 'v1')),
      deleted(named(early, 'v1beta1')),
      deleted(named(late, 'v1')),
    ]),
    row('registered as local, served by nobody', [
      registered({
        metadata: { name: named(nobody, 'v1') },
        spec: { group: nobody, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 15 },
      }),
      { name: 'it is listed', path: `/apis/${nobody}`, until: 200 },
      { name: 'nobody answers', path: `/apis/${nobody}/v1`, setup: true },
      ...documents('then', [nobody]),
      deleted(named(nobody, 'v1')),
    ]),
  ],
};
