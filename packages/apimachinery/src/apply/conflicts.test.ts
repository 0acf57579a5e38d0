import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Conflict, conflictStatus } from './conflicts.ts';
import { FieldSet } from './field-set.ts';
import { type Manager, managerIdentity } from './managers.ts';

function conflict(path: string[], more: Partial<Manager> = {}): Conflict {
  const manager: Manager = {
    name: 'm',
    operation: 'Apply',
    apiVersion: 'g/v1',
    subresource: '',
    time: '2026-01-01T00:00:00Z',
    set: FieldSet.empty,
    ...more,
  };
  return { identity: managerIdentity(manager), manager, path };
}

const name = ['f:spec', 'f:name'];
const cases: { name: string; conflicts: Conflict[]; message: string; fields: string[] }[] = [
  {
    name: 'one with an Apply manager',
    conflicts: [conflict(name)],
    message: 'Apply failed with 1 conflict: conflict with "m": .spec.name',
    fields: ['.spec.name'],
  },
  {
    name: 'one with an Update manager',
    conflicts: [conflict(name, { operation: 'Update' })],
    message: 'Apply failed with 1 conflict: conflict with "m" using g/v1: .spec.name',
    fields: ['.spec.name'],
  },
  {
    name: 'one with an Apply manager of a subresource',
    conflicts: [conflict(name, { subresource: 'status' })],
    message:
      'Apply failed with 1 conflict: conflict with "m" with subresource "status": .spec.name',
    fields: ['.spec.name'],
  },
  {
    name: 'one with an Update manager of a subresource',
    conflicts: [conflict(name, { operation: 'Update', subresource: 'status' })],
    message:
      'Apply failed with 1 conflict: conflict with "m" with subresource "status" using g/v1: .spec.name',
    fields: ['.spec.name'],
  },
  {
    name: 'a name that has to be quoted',
    conflicts: [conflict(name, { name: 'a "b"\n' })],
    message: 'Apply failed with 1 conflict: conflict with "a \\"b\\"\\n": .spec.name',
    fields: ['.spec.name'],
  },
  {
    name: 'two with one',
    conflicts: [conflict(name), conflict(['f:spec', 'f:ports', 'k:{"port":80}', 'f:x'])],
    message:
      'Apply failed with 2 conflicts: conflicts with "m":\n- .spec.name\n- .spec.ports[port=80].x',
    fields: ['.spec.name', '.spec.ports[port=80].x'],
  },
  {
    name: 'managers in the order of their identities',
    conflicts: [
      conflict(name, { name: 'z' }),
      conflict(name, { name: 'a', operation: 'Update' }),
      conflict(['f:b'], { name: 'z' }),
    ],
    message:
      'Apply failed with 3 conflicts: conflicts with "a" using g/v1:\n- .spec.name\nconflicts with "z":\n- .spec.name\n- .b',
    fields: ['.spec.name', '.spec.name', '.b'],
  },
];
for (const { name: what, conflicts, message, fields } of cases) {
  test(`conflicts: ${what}`, () => {
    const { status } = conflictStatus(conflicts);
    assert.equal(status.message, message);
    assert.equal(status.code, 409);
    assert.equal(status.reason, 'Conflict');
    assert.deepEqual(Object.keys(status.details ?? {}), ['causes']);
    assert.deepEqual(
      status.details?.causes?.map(({ field }) => field),
      fields,
    );
    for (const cause of status.details?.causes ?? [])
      assert.equal(cause.reason, 'FieldManagerConflict');
  });
}
