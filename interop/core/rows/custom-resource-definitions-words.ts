/** Words that rows about CustomResourceDefinitions share. */
import type { JsonObject } from '../../differential/json.ts';
import type { Step } from '../../differential/row.ts';
import { CustomResourceDefinition } from '../kinds.ts';
import { ofRoot } from './custom-resource-definitions-schemas.ts';
import { get, object, pathOf, post, TABLE } from './words.ts';

export const K = CustomResourceDefinition;
export const ofStatus = { path: `${pathOf(K)}/status` };
export const asTable = { headers: { accept: TABLE } };

/** Its names are said by all of them, so that a row changes one. */
export const names = (more: JsonObject = {}, name = 'a'): JsonObject => ({
  plural: `{ns}-${name}`,
  kind: `Thing${name.toUpperCase()}`,
  ...more,
});
export const named = (more: JsonObject, name = 'a'): JsonObject => ({
  spec: { names: names(more, name) },
});
export const versions = (...all: JsonObject[]): JsonObject => ({ spec: { versions: all } });
export const minimal: JsonObject = { spec: {} };

export const scale: JsonObject = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};
export const column = (more: JsonObject = {}): JsonObject => ({
  name: 'Size',
  type: 'integer',
  jsonPath: '.spec.size',
  ...more,
});
export const SIZED: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        colour: { type: 'string', enum: ['red', 'blue'] },
        parts: { type: 'array', items: { type: 'string' } },
        inner: { type: 'object', properties: { on: { type: 'boolean' } } },
        share: { type: 'number' },
      },
    },
  },
};
export const selecting = (...paths: string[]): JsonObject =>
  ofRoot(SIZED, { selectableFields: paths.map((jsonPath) => ({ jsonPath })) });
export const scaled = (more: JsonObject): JsonObject =>
  ofRoot(SIZED, { subresources: { scale: more } });
export const webhook = (more: JsonObject = {}, clientConfig: JsonObject = {}): JsonObject => ({
  spec: {
    conversion: {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { service: { namespace: 'eu', name: 'convert' }, ...clientConfig },
        conversionReviewVersions: ['v1'],
        ...more,
      },
    },
  },
});
export const atUrl = (url: string): JsonObject => webhook({}, { url, service: null });
/** "not PEM" in base64. */
export const NO_BUNDLE: string = 'bm90IFBFTQ==';

/** Makes one, and waits until it is what it becomes: `given-a` is the object then. */
export function settled(
  fields: JsonObject = minimal,
  { name = 'a', until = '"InitialNamesAccepted"' }: { name?: string; until?: string } = {},
): Step[] {
  return [
    post(K, object(K, fields, name), { name: `make-${name}`, setup: true }),
    get(K, { name: `given-${name}`, path: pathOf(K, name), until, setup: true }),
  ];
}

/**
 * Managers of fields are sorted by the second of their last write and then by name. A name after that of the original's
 * own makes both orders the same; one before it is for changes that the original's controllers answer.
 */
export const LATER = { query: { fieldManager: 'updater' } };
export const EARLIER = { query: { fieldManager: 'editor' } };
