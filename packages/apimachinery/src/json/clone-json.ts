import { setMember } from './json-object.ts';

/** Deeper values are copied iteratively; a call stack of this depth is safe everywhere. */
const recursionDepthMax = 500;

/** A deep copy of a JSON value that shares nothing with it, of any depth. */
export function cloneJson(value: unknown): unknown {
  return cloneAt(value, 0);
}

function cloneAt(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === recursionDepthMax) return cloneDeep(value);
  if (Array.isArray(value)) return value.map((one) => cloneAt(one, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) setMember(copy, name, cloneAt(one, depth + 1));
  return copy;
}

function cloneDeep(root: object): unknown {
  const copyOfRoot: Container = Array.isArray(root) ? [] : {};
  const pending: [object, Container][] = [[root, copyOfRoot]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [source, copy] = next;
    for (const [name, one] of Object.entries(source)) {
      let member: unknown = one;
      if (typeof one === 'object' && one !== null) {
        const inner: Container = Array.isArray(one) ? [] : {};
        pending.push([one, inner]);
        member = inner;
      }
      if (Array.isArray(copy)) copy.push(member);
      else setMember(copy, name, member);
    }
  }
  return copyOfRoot;
}

type Container = unknown[] | Record<string, unknown>;
