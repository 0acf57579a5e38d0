/** Everything that was generated can be read. */
import assert from 'node:assert/strict';
import test from 'node:test';
import * as admissionregistration from '@tributary/api/admissionregistration-v1';
import * as apiextensions from '@tributary/api/apiextensions-v1';
import * as apiregistration from '@tributary/api/apiregistration-v1';
import * as apps from '@tributary/api/apps-v1';
import * as authentication from '@tributary/api/authentication-v1';
import * as authorization from '@tributary/api/authorization-v1';
import * as autoscalingV1 from '@tributary/api/autoscaling-v1';
import * as autoscalingV2 from '@tributary/api/autoscaling-v2';
import * as batch from '@tributary/api/batch-v1';
import * as certificates from '@tributary/api/certificates-v1';
import * as coordination from '@tributary/api/coordination-v1';
import * as core from '@tributary/api/core-v1';
import * as discovery from '@tributary/api/discovery-v1';
import * as events from '@tributary/api/events-v1';
import * as flowcontrol from '@tributary/api/flowcontrol-v1';
import * as networking from '@tributary/api/networking-v1';
import * as node from '@tributary/api/node-v1';
import * as policy from '@tributary/api/policy-v1';
import * as rbac from '@tributary/api/rbac-v1';
import * as scheduling from '@tributary/api/scheduling-v1';
import * as storage from '@tributary/api/storage-v1';
import type { TypedKind } from '@tributary/server/definition';
import { decodeTyped } from '../../server/src/schema/typed/decode-typed.ts';
import { expandedFields, typedDefinitions } from '../../server/src/schema/typed/typed-schema.ts';

const modules = {
  admissionregistration,
  apiextensions,
  apiregistration,
  apps,
  authentication,
  authorization,
  autoscalingV1,
  autoscalingV2,
  batch,
  certificates,
  coordination,
  core,
  discovery,
  events,
  flowcontrol,
  networking,
  node,
  policy,
  rbac,
  scheduling,
  storage,
};

for (const [group, module] of Object.entries(modules)) {
  const kinds = Object.values(module).filter(isKind);
  test(`${group}: every kind has a zero value that stays as it is, and is described whole`, () => {
    assert.ok(kinds.length > 0);
    for (const { kind, struct, list } of kinds) {
      const zero = decodeTyped({}, struct);
      assert.deepEqual(decodeTyped(zero.object, struct), zero, kind);
      assert.ok(expandedFields(struct).size > 2, kind);
      const definitions = typedDefinitions(list ?? struct);
      assert.ok(definitions.has(struct.definition), kind);
    }
  });
}

function isKind(value: unknown): value is TypedKind {
  return typeof value === 'object' && value !== null && 'struct' in value;
}
