import type { Row, RowGroup } from '../row.ts';
import { GROUP, V1ALPHA1 } from './wardle.ts';

const covers: Row['covers'] = { feature: 'discovery' };
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const AGGREGATED_BETA = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

function read(name: string, path: string, accept?: string): Row {
  const headers = accept === undefined ? {} : { headers: { accept } };
  return { name, covers, steps: [{ name: 'read', path, ...headers }] };
}

export const discovery: RowGroup = {
  name: 'discovery',
  rows: [
    read('discovery: groups', '/apis'),
    read('discovery: groups with a trailing slash', '/apis/'),
    read('discovery: a group', GROUP),
    read('discovery: a group with a trailing slash', `${GROUP}/`),
    read('discovery: resources of v1alpha1', V1ALPHA1),
    read('discovery: resources with a trailing slash', `${V1ALPHA1}/`),
    read('discovery: resources of v1beta1', `${GROUP}/v1beta1`),
    {
      name: 'discovery: an unknown group',
      covers,
      steps: [{ name: 'read', path: '/apis/unknown.example.com', view: 'paths' }],
    },
    read('discovery: an unknown version', `${GROUP}/v9`),
    {
      name: 'discovery: no core group',
      covers,
      steps: [{ name: 'read', path: '/api', view: 'paths' }],
    },
    read('discovery: aggregated v2', '/apis', AGGREGATED),
    read('discovery: aggregated v2beta1', '/apis', AGGREGATED_BETA),
    read(
      'discovery: aggregated in an unknown version falls to the next clause',
      '/apis',
      'application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,application/json',
    ),
    read(
      'discovery: what kubectl accepts',
      '/apis',
      `${AGGREGATED},${AGGREGATED_BETA},application/json`,
    ),
    read('discovery: groups as YAML', '/apis', 'application/yaml'),
    read('discovery: groups in an unknown form', '/apis', 'text/html'),
    read('discovery: resources as YAML', V1ALPHA1, 'application/yaml'),
    {
      name: 'discovery: aggregated is not sent twice',
      covers,
      steps: [
        { name: 'first', path: '/apis', headers: { accept: AGGREGATED }, setup: true },
        {
          name: 'again',
          path: '/apis',
          headers: { accept: AGGREGATED, 'if-none-match': '{etag:first}' },
        },
      ],
    },
    {
      name: 'discovery: groups cannot be created',
      covers,
      steps: [{ name: 'post', method: 'POST', path: '/apis', body: {} }],
    },
    {
      name: 'discovery: over HTTP/1.1',
      covers,
      steps: [{ name: 'read', path: V1ALPHA1, protocol: 'h1' }],
    },
  ],
};
