/** Words that rows about wardle.example.com share. */
import type { Json, JsonObject } from '../json.ts';
import type { RequestStep } from '../row.ts';

export const GROUP = '/apis/wardle.example.com';
export const V1ALPHA1 = `${GROUP}/v1alpha1`;
export const FLUNDERS = `${V1ALPHA1}/namespaces/{ns}/flunders`;
export const ALL_FLUNDERS = `${V1ALPHA1}/flunders`;
export const BETA_FLUNDERS = `${GROUP}/v1beta1/namespaces/{ns}/flunders`;
export const FISCHERS = `${V1ALPHA1}/fischers`;

export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
export const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
export const PARTIAL_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** A Flunder with more metadata or another spec. */
export function flunder(
  name: string,
  more: { metadata?: JsonObject; spec?: Json } & JsonObject = {},
): JsonObject {
  const { metadata, spec, ...rest } = more;
  return {
    apiVersion: 'wardle.example.com/v1alpha1',
    kind: 'Flunder',
    ...rest,
    metadata: { name, ...metadata },
    spec: spec ?? { reference: 'pond' },
  };
}

/** Creates a Flunder for the next steps. */
export function given(name: string, more: Parameters<typeof flunder>[1] = {}): RequestStep {
  return {
    name: `given-${name}`,
    method: 'POST',
    path: FLUNDERS,
    body: flunder(name, more),
    setup: true,
  };
}

export function post(name: string, body: Json, more: Partial<RequestStep> = {}): RequestStep {
  return { name, method: 'POST', path: FLUNDERS, body, ...more };
}

export function put(
  name: string,
  object: string,
  body: Json,
  more: Partial<RequestStep> = {},
): RequestStep {
  return { name, method: 'PUT', path: `${FLUNDERS}/${object}`, body, ...more };
}

export function get(name: string, path: string, more: Partial<RequestStep> = {}): RequestStep {
  return { name, path, ...more };
}

export function remove(name: string, object: string, more: Partial<RequestStep> = {}): RequestStep {
  return { name, method: 'DELETE', path: `${FLUNDERS}/${object}`, ...more };
}
