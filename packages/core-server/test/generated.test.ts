/** Everything that was generated can be read. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { TypedKind } from '@tributary/server';
import { decodeTyped } from '../../server/src/schema/typed/decode-typed.ts';
import { expandedFields, typedDefinitions } from '../../server/src/schema/typed/typed-schema.ts';
import * as admissionregistration from '../src/generated/admissionregistration-v1.ts';
import * as apiextensions from '../src/generated/apiextensions-v1.ts';
import * as apiregistration from '../src/generated/apiregistration-v1.ts';
import * as apps from '../src/generated/apps-v1.ts';
import * as authentication from '../src/generated/authentication-v1.ts';
import * as authorization from '../src/generated/authorization-v1.ts';
import * as autoscalingV1 from '../src/generated/autoscaling-v1.ts';
import * as autoscalingV2 from '../src/generated/autoscaling-v2.ts';
import * as batch from '../src/generated/batch-v1.ts';
import * as certificates from '../src/generated/certificates-v1.ts';
import * as coordination from '../src/generated/coordination-v1.ts';
import * as core from '../src/generated/core-v1.ts';
import * as discovery from '../src/generated/discovery-v1.ts';
import * as events from '../src/generated/events-v1.ts';
import * as flowcontrol from '../src/generated/flowcontrol-v1.ts';
import * as networking from '../src/generated/networking-v1.ts';
import * as node from '../src/generated/node-v1.ts';
import * as policy from '../src/generated/policy-v1.ts';
import * as rbac from '../src/generated/rbac-v1.ts';
import * as scheduling from '../src/generated/scheduling-v1.ts';
import * as storage from '../src/generated/storage-v1.ts';

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
