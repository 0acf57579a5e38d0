import { contains } from '../values/equality.ts';
import { CelError, NO_SUCH_OVERLOAD } from '../values/errors.ts';
import { isList, isMap, sizeOf, Uint, type Value } from '../values/value.ts';
import type { Evaluate } from './frame.ts';

/** `value in list`. In a constant list of primitives it is a lookup, which costs nothing upstream. */
export function membership(
  value: Evaluate,
  list: Evaluate,
  constant: Value | undefined,
): { evaluate: Evaluate; constant?: Value } {
  if (isList(constant) && constant.size === 0) {
    return { evaluate: () => false, constant: false };
  }
  const tokens = constant === undefined ? undefined : tokensOf(constant);
  if (tokens !== undefined) {
    return {
      evaluate: (frame) => {
        const found = value(frame);
        return found instanceof CelError ? found : tokens.has(token(found) ?? '');
      },
    };
  }
  return { evaluate: search(value, list) };
}

/** `value in container` of a map, or of what only the value tells; either costs 1. */
export function containment(value: Evaluate, container: Evaluate): Evaluate {
  return (frame) => {
    const wanted = value(frame);
    const within = container(frame);
    frame.charge(1);
    if (wanted instanceof CelError || within instanceof CelError) {
      return wanted instanceof CelError ? wanted : within;
    }
    if (isMap(within)) {
      const found = within.get(wanted);
      return found instanceof CelError ? found : found !== undefined;
    }
    return isList(within) ? contains(within, wanted, frame.step) : NO_SUCH_OVERLOAD;
  };
}

function search(value: Evaluate, list: Evaluate): Evaluate {
  return (frame) => {
    const wanted = value(frame);
    const within = list(frame);
    frame.charge(sizeOf(within));
    if (wanted instanceof CelError || within instanceof CelError) {
      return wanted instanceof CelError ? wanted : within;
    }
    return isList(within) ? contains(within, wanted, frame.step) : NO_SUCH_OVERLOAD;
  };
}

function tokensOf(list: Value): ReadonlySet<string> | undefined {
  if (!isList(list)) {
    return undefined;
  }
  const tokens = new Set<string>();
  for (let index = 0; index < list.size; index++) {
    const element = list.at(index);
    const own = element instanceof CelError ? undefined : token(element);
    if (own === undefined) {
      return undefined;
    }
    tokens.add(own);
  }
  return tokens;
}

/** Numbers that are equal have the same token, whatever their type. */
function token(value: Value): string | undefined {
  switch (typeof value) {
    case 'string':
      return `s${value}`;
    case 'boolean':
      return `b${value}`;
    case 'bigint':
      return `n${value}`;
    case 'number':
      // NaN is in no list, not even in one that has it.
      if (Number.isNaN(value)) {
        return undefined;
      }
      return Number.isInteger(value) ? `n${BigInt(value)}` : `d${value}`;
    default:
      return value instanceof Uint ? `n${value.value}` : undefined;
  }
}
