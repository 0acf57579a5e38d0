/** Words that rows about the subresources of pods share. */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, Row, Step, Verb } from '../../differential/row.ts';
import type { Kind } from '../kinds.ts';
import { given, type More, patch, pathOf, row } from './words.ts';

export const Pod: Kind = {
  id: 'pods',
  kind: 'Pod',
  apiVersion: 'v1',
  plural: 'pods',
  namespaced: true,
};
export const Node: Kind = {
  id: 'nodes',
  kind: 'Node',
  apiVersion: 'v1',
  plural: 'nodes',
  namespaced: false,
};

export const MAIN: JsonObject = { name: 'main', image: 'app:1' };

/** A pod of one container that asks nothing of the server. */
export function podOf(more: JsonObject = {}): JsonObject {
  const spec = { serviceAccountName: 'runner', automountServiceAccountToken: false };
  return { spec: { ...spec, containers: [MAIN], ...more } };
}

export function givenPod(more: JsonObject = {}): Step[] {
  return [account, given(Pod, podOf(more))];
}

const account: RequestStep = {
  name: 'account',
  method: 'POST',
  path: '/api/v1/namespaces/{ns}/serviceaccounts',
  body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'runner' } },
  setup: true,
};

/** How a pod or a node is doing, as a kubelet says it. */
export function givenStatus(kind: Kind, status: JsonObject): RequestStep {
  const path = `${pathOf(kind)}/status`;
  return patch(kind, 'merge', { status }, { name: 'given-status', path, setup: true });
}

/** A row about something below a pod. */
export function below(verb: Verb, name: string, ...steps: Step[]): Row {
  return row(Pod, verb, name, ...steps);
}

/** A request to something below a pod. */
export function ask(subresource: string, more: More = {}): RequestStep {
  return { name: 'ask', path: `${pathOf(Pod)}/${subresource}`, ...more };
}

export function send(subresource: string, body: JsonObject, more: More = {}): RequestStep {
  return ask(subresource, { name: 'send', method: 'POST', body, ...more });
}
